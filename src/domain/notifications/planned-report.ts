import { type DayRange, monthOf, weekOf } from "../time/calendar.ts";
import { dateOfDay } from "../time/time.ts";
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

/** When a report is next due after a moment: at an hour of the zone's clock, on Mondays or on the first of a month. */
export function nextRun(cadence: Cadence, hour: number, zone: Zone, after: number): number {
  const today = zone.dayOf(after);
  // Where clocks are set forward the hour may come late, and a day may be left out: so more than one day is looked at.
  for (let day = aroundDay(cadence, today).fromDay; ; day = aroundDay(cadence, day).untilDay) {
    const at = zone.momentOf(day, hour * hourMs);
    if (at > after) return at;
  }
}

/** The days that a report is about which is made on this day: the last whole ones. */
export function daysBefore(cadence: Cadence, day: number): ReportDays {
  const last = aroundDay(cadence, day).fromDay - 1;
  return { from: dateOfDay(aroundDay(cadence, last).fromDay), to: dateOfDay(last) };
}

/** The day itself, or the week or month that it is in. */
function aroundDay(cadence: Cadence, day: number): DayRange {
  if (cadence === "day") return { fromDay: day, untilDay: day + 1 };
  return cadence === "week" ? weekOf(day) : monthOf(day);
}
