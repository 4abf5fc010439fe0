import { dayMs, dayOf } from "./time.ts";

/** The calendar of a place: which day a moment is of. Days are counted from 1970-01-01, which is day 0 everywhere. */
export interface Zone {
  /** The IANA name. */
  readonly name: string;
  dayOf(at: number): number;
  /** The first moment of a day. */
  startOf(day: number): number;
}

export const utc: Zone = { name: "UTC", dayOf, startOf: (day) => day * dayMs };
