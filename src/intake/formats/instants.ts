import { parseInstant } from "../../domain/time/time.ts";
import { numberOf } from "./foreign.ts";

/** As seconds this is the year 5138, as milliseconds March 1973. No tracker means either, so it tells the units apart. */
const minMilliseconds = 1e11;
const latestMs = Date.UTC(10_000, 0, 1) - 1;

/** UTC milliseconds of an ISO 8601 text or a count of milliseconds since 1970, or null. */
export function instantOrMs(value: unknown): number | null {
  if (typeof value === "string") return parseInstant(value.trim());
  return typeof value === "number" ? withinYears(value) : null;
}

/** UTC milliseconds of an ISO 8601 time, or of the seconds or milliseconds since 1970 (the size decides which); or null. */
export function instantOrEpoch(value: unknown): number | null {
  const count = numberOf(value);
  if (count !== null) return withinYears(Math.abs(count) < minMilliseconds ? count * 1000 : count);
  return typeof value === "string" ? parseInstant(value.trim()) : null;
}

function withinYears(ms: number): number | null {
  return ms >= 0 && ms <= latestMs ? Math.floor(ms) + 0 : null; // false for NaN; no -0
}
