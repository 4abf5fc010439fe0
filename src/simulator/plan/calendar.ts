import { dayMs } from "../../domain/time/time.ts";

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export type DayType = "weekday" | "saturday" | "sunday";

export function dayTypeOf(day: number): DayType {
  // The first day was a Thursday.
  const weekday = (day + 3) % 7;
  if (weekday === 5) return "saturday";
  return weekday === 6 ? "sunday" : "weekday";
}

/** Summer time of the European Union: from the last Sunday in March to the last Sunday in October, 01:00 UTC. */
export function localOffsetMs(at: number): number {
  const year = new Date(at).getUTCFullYear();
  const isSummer = at >= lastSundayOf(year, 2) + hourMs && at < lastSundayOf(year, 9) + hourMs;
  return isSummer ? 2 * hourMs : hourMs;
}

function lastSundayOf(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month + 1, 0));
  return last.getTime() - last.getUTCDay() * dayMs;
}

/** How strong the rush hour is, from 0 to 1. */
export function rushAt(localHour: number, day: DayType): number {
  if (day === "sunday") return 0;
  const morning = Math.max(0, 1 - Math.abs(localHour - 8) / 1.5);
  const evening = Math.max(0, 1 - Math.abs(localHour - 16.75) / 2);
  return Math.max(morning, evening) * (day === "saturday" ? 0.4 : 1);
}

export function isNight(localHour: number): boolean {
  return localHour < 5.5 || localHour > 21.5;
}
