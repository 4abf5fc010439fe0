import { dayAt, daysBetween, isDay, shiftDay } from "./days.ts";

/** The days that a page is about, both included. */
export interface Period {
  readonly name: PeriodName;
  readonly from: string;
  readonly to: string;
}

export const periodNames = ["yesterday", "today", "week"] as const;
export type PeriodName = (typeof periodNames)[number] | "days";

interface Asked {
  readonly period: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

/** What an address asks for. Days that are no days, in the wrong order or too many become the usual period. Pure. */
export function periodOf(asked: Asked, usual: PeriodName, maxDays: number, now: number, zone: string): Period {
  const today = dayAt(now, zone);
  const { from, to } = asked;
  if (from !== null && to !== null && isDay(from) && isDay(to) && from <= to && daysBetween(from, to) <= maxDays) {
    return { name: "days", from, to };
  }
  const name = periodNames.find((known) => known === asked.period) ?? (usual === "days" ? "yesterday" : usual);
  if (name === "today") return { name, from: today, to: today };
  const yesterday = shiftDay(today, -1);
  return { name, from: name === "week" ? shiftDay(today, -7) : yesterday, to: yesterday };
}

/** As many days just before. */
export function periodBefore({ from, to }: Period): { readonly from: string; readonly to: string } {
  return { from: shiftDay(from, -daysBetween(from, to)), to: shiftDay(from, -1) };
}
