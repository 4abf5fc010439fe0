import { Failure } from "../../domain/errors.ts";
import { earliestMs, formatInstant } from "../../domain/time/time.ts";
import { utc, type Zone } from "../../domain/time/time-zone.ts";
import { resolveWindow, type TimeWindow } from "../../domain/time/window.ts";
import type { Parameter } from "../input/parameter.ts";
import { cursor, type WindowTime } from "../input/parameters.ts";
import type { RouteCall } from "../route.ts";

interface WindowParameters {
  readonly from: Parameter<WindowTime>;
  readonly to: Parameter<WindowTime>;
  readonly maxDays: number;
}

/** The window of a list with pages. */
export interface ListWindow extends WindowParameters {
  /** By which its dates are read. Absent: it has none. */
  readonly zoneOf?: (call: RouteCall) => Promise<Zone>;
}

/** The window of a call. Dates of a report are days of the time zone. */
export function readWindow(call: RouteCall, parameters: WindowParameters, zone: Zone = utc): TimeWindow {
  const window = windowIn(zone, call, parameters);
  if (window === null) throw new Failure("INVALID_REQUEST", emptyWindow(call, parameters));
  return window;
}

/** What is wrong with the window whatever the zone, so that it is reported along with other problems. */
export function windowProblems(call: RouteCall, parameters: WindowParameters): string[] {
  const { input } = call;
  const { from, to } = parameters;
  const [start, end] = [input.get(from), input.get(to)];
  // A time that could not be read, or that may be in a cursor, cannot be compared with the other.
  const isUnread = [from, to].some((time) => input.names(time) && input.get(time) === null);
  const mayBeInCursor = input.names(cursor) && (start === null || end === null);
  // Neither can a date and a time. Without `to` the window ends now, which is a time.
  if (isUnread || mayBeInCursor || isDate(start ?? end) !== isDate(end)) return [];
  return windowIn(utc, call, parameters) === null ? [emptyWindow(call, parameters)] : [];
}

function windowIn(zone: Zone, { input, now }: RouteCall, { from, to, maxDays }: WindowParameters): TimeWindow | null {
  const [start, end] = [input.get(from), input.get(to)];
  // From date to date it is days that count, not their hours: some have 23 or 25.
  const daysBefore = (moment: number, days: number) => zone.startOf(zone.dayOf(moment) - days);
  const moments = [momentOf(start, zone), momentOf(end, zone)] as const;
  return resolveWindow(...moments, now, maxDays, isDate(end) ? daysBefore : undefined);
}

function emptyWindow({ input }: RouteCall, { from, to }: WindowParameters): string {
  // Without `from` it is empty only if there is no time before `to`.
  if (!input.names(from)) return `to: expected a time later than ${formatInstant(earliestMs)}`;
  const expected = "from: expected a time earlier than `to`";
  return input.names(to) ? expected : `${expected}, which is now unless named`;
}

/** The parameters that name another window than a cursor's, whose request began at `askedFrom` if that was clamped. */
export function otherWindow(
  { input }: RouteCall,
  { from, to }: WindowParameters,
  cursorWindow: Pick<TimeWindow, "fromMs" | "toMs"> | null,
  askedFrom: number | null,
  zone: Zone | null,
): string[] {
  const [start, end] = [input.get(from), input.get(to)];
  const isOther = (time: WindowTime | null, ...same: readonly unknown[]) => {
    // Which moment a date is depends on the zone, which is asked for later.
    if (time === null || (zone === null && isDate(time))) return false;
    return !same.includes(momentOf(time, zone ?? utc));
  };
  return [
    ...(isOther(start, cursorWindow?.fromMs, askedFrom) ? [from.name] : []),
    ...(isOther(end, cursorWindow?.toMs) ? [to.name] : []),
  ];
}

/** The requested start as a moment, if the window was clamped: a cursor may be beside it. */
export function askedStart({ input }: RouteCall, { from }: WindowParameters, window: TimeWindow | null, zone: Zone) {
  return window?.clamped ? momentOf(input.get(from), zone) : null;
}

function isDate(time: WindowTime | null): boolean {
  return typeof time === "object" && time !== null;
}

/** East of Greenwich, the first day of the year 0 starts before the first moment that can be written. */
function momentOf(time: WindowTime | null, zone: Zone): number | null {
  return typeof time === "object" && time !== null ? Math.max(zone.startOf(time.day), earliestMs) : time;
}

export function windowHeaders(window: TimeWindow): Record<string, string> {
  return {
    "X-Window-From": formatInstant(window.fromMs),
    "X-Window-To": formatInstant(window.toMs),
    ...(window.clamped ? { "X-Window-Clamped": "true" } : {}),
  };
}
