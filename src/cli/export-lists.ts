import { sensorKinds } from "../api/input/path-parameters.ts";
import { Failure } from "../domain/errors.ts";
import { dayMs, dayOf, formatInstant, parseInstant } from "../domain/time.ts";
import type { Call } from "./command.ts";
import { instantOption, textOption } from "./options.ts";

/** A window, as the API's parameters name it. */
export interface ExportWindow {
  readonly from: string;
  readonly to: string;
}

/** A list that can be exported: one of the API's routes. */
export interface ExportList {
  /** Relative to /v1. */
  readonly path: (call: Call) => string;
  /** Options that narrow it, and the parameter of each. */
  readonly filters: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  /** By what time its records are in a window. Null: the list has no window. */
  readonly window: "moments" | "days" | null;
  /** The field with that time. */
  readonly timeField?: string;
  /** Whether a record may be in two windows: it is one of the first then. */
  readonly mayOverlap?: boolean;
}

const at = (path: string) => () => path;

export const exportLists = {
  devices: { path: at("/devices"), filters: { imei: "imei", status: "status", search: "search" }, window: null },
  latest: { path: at("/positions/latest"), filters: { imei: "imei" }, window: null },
  positions: {
    path: at("/positions/history"),
    filters: { imei: "imei", rejected: "valid_only" },
    required: ["imei"],
    window: "moments",
    timeField: "recorded_at",
  },
  trips: {
    path: at("/trips"),
    filters: { imei: "imei" },
    window: "moments",
    timeField: "started_at",
    mayOverlap: true,
  },
  alerts: {
    path: at("/alerts"),
    filters: { imei: "imei", severity: "severity", "alert-type": "alert_type", acknowledged: "acknowledged" },
    window: "moments",
    timeField: "occurred_at",
  },
  readings: {
    path: (call) => `/sensors/${sensorKind(call)}`,
    filters: { imei: "imei", kind: "" },
    required: ["kind"],
    window: "moments",
    timeField: "recorded_at",
  },
  geofences: { path: at("/geofences"), filters: {}, window: null },
  "geofence-events": {
    path: at("/geofence-events"),
    filters: { imei: "imei" },
    window: "moments",
    timeField: "occurred_at",
  },
  users: { path: at("/users"), filters: {}, window: null },
  mileage: { path: at("/reports/mileage"), filters: { imei: "imei" }, window: "days", timeField: "date" },
} as const satisfies Record<string, ExportList>;

function sensorKind(call: Call): string {
  const text = textOption(call, "kind");
  const kind = sensorKinds.find((known) => known === text);
  if (kind) return kind;
  throw new Failure("WRONG_CALL", `--kind: expected one of ${sensorKinds.join(", ")}, got "${text}"`);
}

export type ExportListName = keyof typeof exportLists;

const windowOptions = ["from", "to"];
const allFilters = new Set(Object.values(exportLists).flatMap(({ filters }) => Object.keys(filters)));

/** The list that the call names, with options that fit it. */
export function chosenList(call: Call): { readonly name: ExportListName; readonly list: ExportList } {
  const names = Object.keys(exportLists) as ExportListName[];
  const name = names.find((candidate) => candidate === call.arguments[0]);
  if (!name) throw new Failure("WRONG_CALL", `LIST: expected one of ${names.join(", ")}, got "${call.arguments[0]}"`);
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
export function filterQuery(call: Call, { filters }: ExportList): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [option, parameter] of Object.entries(filters)) {
    const value = call.options[option];
    // The only switch: with the frames that the quality filter rejected.
    if (option === "rejected" && value === true) query[parameter] = "false";
    else if (typeof value === "string" && parameter !== "") query[parameter] = value;
  }
  return query;
}

/** The API reads this many days at once. */
const maxMoments = 31 * dayMs;
/** It reads 366, but days of another zone than UTC begin up to 14 hours earlier, or later. */
const maxDays = 365;

/** Windows that the API reads as they are, in ascending time, and that make up the one of the call. */
export function exportWindows(call: Call, { window }: ExportList, now: number): readonly (ExportWindow | null)[] {
  if (window === null) return [null];
  const [from, to] = [instantOption(call, "from") ?? now, instantOption(call, "to") ?? now];
  if (from >= to) throw new Failure("WRONG_CALL", "--from must be earlier than --to, which is now unless named");
  return window === "moments" ? momentWindows(from, to) : dayWindows(call, from, to);
}

function momentWindows(from: number, to: number): readonly ExportWindow[] {
  const windows: ExportWindow[] = [];
  for (let start = from; start < to; start += maxMoments) {
    windows.push({ from: formatInstant(start), to: formatInstant(Math.min(start + maxMoments, to)) });
  }
  return windows;
}

/** Between windows there is a date, with which a day begins in any zone: no day is in two windows. */
function dayWindows(call: Call, from: number, to: number): readonly ExportWindow[] {
  const boundaries: string[] = [];
  for (let day = dayOf(from) + maxDays; day < dayOf(to); day += maxDays) boundaries.push(dateOf(day));
  const first = asWritten(textOption(call, "from"), from);
  const last = asWritten(textOption(call, "to"), to);
  const starts = [first, ...boundaries];
  return starts.map((start, index) => ({ from: start, to: boundaries[index] ?? last }));
}

/** A date alone is a day of the account's zone, which only the API knows. */
function asWritten(text: string | null, moment: number): string {
  return text !== null && parseInstant(text) === moment ? text : formatInstant(moment);
}

function dateOf(day: number): string {
  return formatInstant(day * dayMs).slice(0, "YYYY-MM-DD".length);
}
