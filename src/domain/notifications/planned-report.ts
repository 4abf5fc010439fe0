import { dateOfDay, dayMs } from "../time/time.ts";
import type { Zone } from "../time/time-zone.ts";

/** How often a report is mailed: about yesterday, the week before, or the month before. */
export const cadences = ["day", "week", "month"] as const;
export type Cadence = (typeof cadences)[number];

/** What a report shows, as its page has it in the address. Null or none: nothing is left out. */
export interface ReportFilters {
  readonly view: string | null;
  /** `-distance`: by this column, the greatest first. */
  readonly sort: string | null;
  /** The choice above the table, such as a severity. */
  readonly choice: string | null;
  readonly driver: string | null;
  readonly fence: string | null;
  readonly tags: readonly string[];
  readonly vehicles: readonly string[];
}

/** Both days included. */
export interface ReportDays {
  readonly from: string;
  readonly to: string;
}

const hourMs = 3_600_000;
/** 1970-01-05, the first Monday. */
const firstMonday = 4;

/** When a report is next due after a moment: at an hour of the zone's clock, on Mondays or on the first of a month. */
export function nextRun(cadence: Cadence, hour: number, zone: Zone, after: number): number {
  const today = zone.dayOf(after);
  // Where clocks are set forward the hour may come late, and a day may be left out: so more than one day is looked at.
  for (let day = firstDayOf(cadence, today); ; day = firstDayOf(cadence, nextDayOf(cadence, day))) {
    const at = zone.momentOf(day, hour * hourMs);
    if (at > after) return at;
  }
}

/** The days that a report is about which is made on this day: the last whole ones. */
export function daysBefore(cadence: Cadence, day: number): ReportDays {
  const last = firstDayOf(cadence, day) - 1;
  return { from: dateOfDay(firstDayOf(cadence, last)), to: dateOfDay(last) };
}

/** The first day of the week or month that a day is in. */
function firstDayOf(cadence: Cadence, day: number): number {
  switch (cadence) {
    case "day":
      return day;
    case "week":
      return day - ((((day - firstMonday) % 7) + 7) % 7);
    case "month":
      return day - (new Date(day * dayMs).getUTCDate() - 1);
  }
}

/** A day of the next week or month. */
function nextDayOf(cadence: Cadence, first: number): number {
  return first + { day: 1, week: 7, month: 31 }[cadence];
}
