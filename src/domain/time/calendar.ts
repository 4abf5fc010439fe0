import { dayMs } from "./time.ts";

/** Days are counted from 1970-01-01, a Thursday. Ranges of them are half-open. */
export interface DayRange {
  readonly fromDay: number;
  readonly untilDay: number;
}

/** From Monday to Monday. */
export function weekOf(day: number): DayRange {
  const sinceMonday = (((day + 3) % 7) + 7) % 7;
  return { fromDay: day - sinceMonday, untilDay: day - sinceMonday + 7 };
}

export function monthOf(day: number): DayRange {
  const date = new Date(day * dayMs);
  const firstOf = (months: number) => {
    const first = new Date(0);
    first.setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
    return first.getTime() / dayMs;
  };
  return { fromDay: firstOf(0), untilDay: firstOf(1) };
}
