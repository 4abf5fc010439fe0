import { earliestMs } from "./time.ts";

export const dayMs = 86_400_000;

/** Half-open: `fromMs <= t < toMs`. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the requested span was too long, so that its beginning was moved forward. */
  readonly clamped: boolean;
}

/**
 * The window of a request: `to` defaults to now, `from` to a day before it. A span that is too long loses its oldest
 * part. Null if it would be empty or reversed.
 */
export function resolveWindow(from: number | null, to: number | null, now: number, maxSpanDays: number): Window | null {
  const toMs = to ?? now;
  // A day before the first of the year 0 cannot be written.
  const requestedFromMs = from ?? Math.max(toMs - dayMs, earliestMs);
  if (requestedFromMs >= toMs) return null;
  const longestFromMs = toMs - maxSpanDays * dayMs;
  return { fromMs: Math.max(requestedFromMs, longestFromMs), toMs, clamped: requestedFromMs < longestFromMs };
}

/** The UTC days that a window overlaps, as a half-open range of day numbers. */
export function daysOf(window: Window): { readonly fromDay: number; readonly untilDay: number } {
  return { fromDay: Math.floor(window.fromMs / dayMs), untilDay: Math.ceil(window.toMs / dayMs) };
}
