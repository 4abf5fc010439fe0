import { formatInstant } from "../../domain/time.ts";
import { fromTheBeginning } from "../../domain/versions.ts";
import type { Line } from "./lines.ts";

const beginning = formatInstant(fromTheBeginning);

/**
 * The versions of records as the shortest history that says the same: one that repeats its predecessor is left out, as `load`
 * would not store it, and the beginning needs no moment. Lines of one record follow each other, in ascending time.
 */
export function shortHistories(lines: readonly Line[]): Line[] {
  const short: Line[] = [];
  let before = "";
  for (const { valid_from, ...line } of lines) {
    const content = JSON.stringify(line);
    if (content !== before) short.push(valid_from === beginning ? (line as Line) : ({ ...line, valid_from } as Line));
    before = content;
  }
  return short;
}

/** Which record a line is about. */
export function recordOf({ id, device_id, account_id, tag }: Line): string {
  return String(id ?? device_id ?? `${account_id} ${tag ?? ""}`);
}
