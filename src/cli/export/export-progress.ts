import type { ExportPart, ExportRequest } from "../../api/export/pages.ts";
import { parseInstant } from "../../domain/time.ts";
import type { Call } from "../common/command.ts";

/**
 * Reports how far an export is, by the time of the last record within the whole window. The length of a list without a window
 * is not known; such lists are short. Nothing is reported if the records go to the same terminal.
 */
export function exportProgress(call: Call, { list, windows }: ExportRequest): (part: ExportPart) => void {
  const moment = (text: string | undefined) => parseInstant(text ?? "") ?? Number.NaN;
  const [from, to] = [moment(windows[0]?.from), moment(windows.at(-1)?.to)];
  const isMixedIn = call.options.output === undefined && process.stdout.isTTY === true;
  if (isMixedIn || Number.isNaN(from) || Number.isNaN(to)) return () => {};
  let last = from;
  return ({ records, next }) => {
    const record = records.at(-1);
    // Days are ordered by their devices first.
    if (record !== undefined && list.window === "moments")
      last = Math.max(last, momentOf(record, list.timeField ?? "") ?? last);
    if (next === "end") last = to;
    else if (next !== null && next.cursor === null) last = Math.max(last, moment(windows[next.window]?.from));
    call.terminal.progress("exporting", last - from, to - from);
  };
}

function momentOf(record: string, field: string): number | null {
  return parseInstant(String((JSON.parse(record) as Record<string, unknown>)[field]));
}
