import { earliestMs } from "./time.ts";

export const dayMs = 86_400_000;

/** Half-open: `fromMs <= t < toMs`. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the span asked for was longer than allowed, so that the beginning was moved forward. */
  readonly clamped: boolean;
}

/**
 * The window of a request: `to` is now unless named, `from` a day before it. A span that is too long loses its oldest part,
 * never its newest. Null if it would be empty or turned round.
 */
export function resolveWindow(from: number | null, to: number | null, now: number, maxSpanDays: number): Window | null {
  const toMs = to ?? now;
  // A day before the first one of the year 0 could not be written.
  const askedFromMs = from ?? Math.max(toMs - dayMs, earliestMs);
  if (askedFromMs >= toMs) return null;
  const longestFromMs = toMs - maxSpanDays * dayMs;
  return { fromMs: Math.max(askedFromMs, longestFromMs), toMs, clamped: askedFromMs < longestFromMs };
}

/** The UTC days that a window overlaps, as a half-open range of day numbers. */
export function daysOf(window: Window): { readonly fromDay: number; readonly untilDay: number } {
  return { fromDay: Math.floor(window.fromMs / dayMs), untilDay: Math.ceil(window.toMs / dayMs) };
}
