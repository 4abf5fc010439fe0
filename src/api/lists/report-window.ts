import { Failure } from "../../domain/errors.ts";
import { earliestMs } from "../../domain/time.ts";
import { utc, type Zone } from "../../domain/time-zone.ts";
import { resolveWindow, type Window } from "../../domain/window.ts";
import { type ReportTime, reportFrom, reportTo } from "../input/report-times.ts";
import type { RouteCall } from "../route.ts";
import { emptyWindow } from "./paging.ts";

/** The window of a report, in which dates are days of a time zone. */
export function readReportWindow(call: RouteCall, maxSpanDays: number, zone: Zone): Window {
  const window = windowIn(zone, call, maxSpanDays);
  if (window === null)
    throw new Failure("INVALID_REQUEST", emptyWindow(call.input.names(reportFrom), call.input.names(reportTo)));
  return window;
}

/** What is wrong with the window whatever the zone, so that it is reported along with other problems. */
export function reportWindowProblems(call: RouteCall, maxSpanDays: number): string[] {
  const { input } = call;
  const [fromTime, toTime] = [input.get(reportFrom), input.get(reportTo)];
  const isUnread = [reportFrom, reportTo].some((time) => input.names(time) && input.get(time) === null);
  // A date and a time cannot be compared yet. Without `to` the window ends now, which is a time.
  if (isUnread || isDate(fromTime ?? toTime) !== isDate(toTime)) return [];
  return windowIn(utc, call, maxSpanDays) === null ? [emptyWindow(input.names(reportFrom), input.names(reportTo))] : [];
}

function windowIn(zone: Zone, { input, now }: RouteCall, maxSpanDays: number): Window | null {
  const [fromTime, toTime] = [input.get(reportFrom), input.get(reportTo)];
  // From date to date it is days that count, not their hours: some have 23 or 25.
  const daysBefore = (moment: number, days: number) => zone.startOf(zone.dayOf(moment) - days);
  const [from, to] = [momentOf(fromTime, zone), momentOf(toTime, zone)];
  return resolveWindow(from, to, now, maxSpanDays, isDate(toTime) ? daysBefore : undefined);
}

function isDate(time: ReportTime | null): boolean {
  return time !== null && "day" in time;
}

/** East of Greenwich, the first day of the year 0 starts before the first moment that can be written. */
function momentOf(time: ReportTime | null, zone: Zone): number | null {
  if (time === null) return null;
  return "day" in time ? Math.max(zone.startOf(time.day), earliestMs) : time.at;
}
