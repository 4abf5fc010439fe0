import { dayMs, earliestMs } from "./time.ts";
import type { Zone } from "./time-zone.ts";

/** Half-open: `fromMs <= t < toMs`. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the requested span was too long, so that its beginning was moved forward. */
  readonly clamped: boolean;
}

/** The moment that is some days earlier. */
export type DaysBefore = (moment: number, days: number) => number;

/** `to` defaults to now, `from` to a day before. A span too long loses its oldest part. Null if empty or reversed. */
export function resolveWindow(
  from: number | null,
  to: number | null,
  now: number,
  maxSpanDays: number,
  daysBefore: DaysBefore = (moment, days) => moment - days * dayMs,
): TimeWindow | null {
  const toMs = to ?? now;
  // A day before the first of the year 0 cannot be written.
  const requestedFromMs = from ?? Math.max(daysBefore(toMs, 1), earliestMs);
  if (requestedFromMs >= toMs) return null;
  const longestFromMs = daysBefore(toMs, maxSpanDays);
  return { fromMs: Math.max(requestedFromMs, longestFromMs), toMs, clamped: requestedFromMs < longestFromMs };
}

/** The days of a zone that a window overlaps, as a half-open range of day numbers. */
export function windowDays(
  { fromMs, toMs }: TimeWindow,
  zone: Zone,
): { readonly fromDay: number; readonly untilDay: number } {
  return { fromDay: zone.dayOf(fromMs), untilDay: zone.dayOf(toMs - 1) + 1 };
}
