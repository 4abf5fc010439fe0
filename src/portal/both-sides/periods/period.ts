import { dayAt, daysBetween, isDay, shiftDay, weekdayOf } from "./days.ts";

/** The days that a page is about, both included. */
export interface Period {
  readonly name: PeriodName;
  readonly from: string;
  readonly to: string;
}

/** `week` is the last 7 days, `last-week` the last whole week of the calendar; a month goes to its last day, or to today. */
export const periodNames = ["yesterday", "today", "week", "last-week", "month", "last-month"] as const;
export type PeriodName = (typeof periodNames)[number] | "days";

interface PeriodQuery {
  readonly period: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

interface PeriodDefaults {
  readonly name: PeriodName;
  readonly maxDays: number;
  readonly zone: string;
  /** The first day of a week: 0 is Sunday. */
  readonly weekStart: number;
}

/** What an address asks for. Days that are no days, in the wrong order or too many become the default period. Pure. */
export function periodOf(
  query: PeriodQuery,
  { name: defaultName, maxDays, zone, weekStart }: PeriodDefaults,
  now: number,
): Period {
  const today = dayAt(now, zone);
  const { from, to } = query;
  if (from !== null && to !== null && isDay(from) && isDay(to) && from <= to && daysBetween(from, to) <= maxDays) {
    return { name: "days", from, to };
  }
  const name =
    periodNames.find((each) => each === query.period) ?? (defaultName === "days" ? "yesterday" : defaultName);
  if (name === "today") return { name, from: today, to: today };
  const firstOfMonth = `${today.slice(0, 8)}01`;
  if (name === "month") return { name, from: firstOfMonth, to: today };
  if (name === "last-month") {
    const to = shiftDay(firstOfMonth, -1);
    return { name, from: `${to.slice(0, 8)}01`, to };
  }
  const yesterday = shiftDay(today, -1);
  if (name === "last-week") {
    const to = shiftDay(today, -1 - ((weekdayOf(today) - weekStart + 7) % 7));
    return { name, from: shiftDay(to, -6), to };
  }
  return { name, from: name === "week" ? shiftDay(today, -7) : yesterday, to: yesterday };
}

/** What an address asks for and nobody understands; null: it is understood, or asks for nothing. Pure. */
export function unknownPeriod({ period, from, to }: PeriodQuery, maxDays: number): string | null {
  if (from !== null && to !== null) {
    const areDays = isDay(from) && isDay(to) && from <= to && daysBetween(from, to) <= maxDays;
    return areDays ? null : `${from} – ${to}`;
  }
  if (from !== null || to !== null) return from ?? to;
  return period === null || periodNames.some((name) => name === period) ? null : period;
}

/** More days at once than any report has. */
export const maxPeriodDays = 366;

/** The other end of a period one end of which was moved to `day`: where the period is in order and not too long. Pure. */
export function otherEnd(day: string, other: string, maxDays: number, direction: 1 | -1): string {
  const furthest = shiftDay(day, direction * (maxDays - 1));
  const [first, last] = direction === 1 ? [day, furthest] : [furthest, day];
  if (other < first) return first;
  return other > last ? last : other;
}
