import { type ExportList, type ExportListName, exportListNames, exportLists } from "../../api/export/lists.ts";
import type { ExportPart, ExportRequest } from "../../api/export/pages.ts";
import { type ExportWindow, windowsBetween } from "../../api/export/windows.ts";
import { Failure } from "../../domain/errors.ts";
import { sensorKinds } from "../../domain/frame.ts";
import { parseInstant } from "../../domain/time/time.ts";
import type { CommandCall } from "../common/command.ts";
import { instantOption, oneOfOption, textOption } from "../common/options.ts";

/** The path of the list, relative to /v1. */
export function exportPath(call: CommandCall, { path }: ExportList): string {
  return path.includes("{kind}") ? path.replace("{kind}", oneOfOption(call, "kind", sensorKinds) ?? "") : path;
}

const windowOptions = ["from", "to"];
const allFilters = new Set(Object.values(exportLists).flatMap(({ filters }) => Object.keys(filters)));

/** The list that the call names, with options that fit it. */
export function chosenList(call: CommandCall): { readonly name: ExportListName; readonly list: ExportList } {
  const name = exportListNames.find((candidate) => candidate === call.arguments[0]);
  if (!name) {
    const expected = exportListNames.join(", ");
    throw new Failure("WRONG_CALL", `LIST: expected one of ${expected}, got "${call.arguments[0]}"`);
  }
  const list: ExportList = exportLists[name];
  for (const option of [...allFilters, ...windowOptions]) {
    const isKnown = option in list.filters || (windowOptions.includes(option) && list.window !== null);
    if (call.options[option] !== undefined && !isKnown) {
      throw new Failure("WRONG_CALL", `--${option} does not go with ${name}`);
    }
  }
  const required = [...(list.required ?? []), ...(list.window === null ? [] : ["from"])];
  const missing = required.find((option) => call.options[option] === undefined);
  if (missing) throw new Failure("WRONG_CALL", `--${missing} is missing: ${name} needs it`);
  return { name, list };
}

/** The query of the filters, without the window. */
export function filterQuery(call: CommandCall, { filters }: ExportList): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [option, parameter] of Object.entries(filters)) {
    const value = call.options[option];
    // The only switch: with the frames that the quality filter rejected.
    if (option === "rejected" && value === true) query[parameter] = "false";
    else if (typeof value === "string" && parameter !== "") query[parameter] = value;
  }
  return query;
}

/** The windows of the call, in ascending time. */
export function exportWindows(call: CommandCall, list: ExportList, now: number): readonly (ExportWindow | null)[] {
  if (list.window === null) return [null];
  const endOf = (name: string) => ({ at: instantOption(call, name) ?? now, text: textOption(call, name) });
  const [from, to] = [endOf("from"), endOf("to")];
  if (from.at >= to.at) throw new Failure("WRONG_CALL", "--from must be earlier than --to, which is now unless named");
  return windowsBetween(list, from, to);
}

/**
 * Reports how far an export is, by the time of the last record within the whole window. The length of a list without a window
 * is not known; such lists are short. Nothing is reported if the records go to the same terminal.
 */
export function exportProgress(call: CommandCall, { list, windows }: ExportRequest): (part: ExportPart) => void {
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
