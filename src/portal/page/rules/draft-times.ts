import { type RuleTimes, type TimesOfDay, type Weekday, weekdays } from "../../../domain/alerts/rule-times.ts";
import type { Json } from "../../../domain/fleet.ts";
import { isDay } from "../../both-sides/periods/days.ts";

/** One part of the times while a person edits it. */
export interface DraftTimesPart extends TimesOfDay {
  /** Only to distinguish parts, as below. */
  readonly key: number;
}

export interface DraftDate {
  readonly key: number;
  readonly day: string;
}

export interface DraftTimes {
  readonly parts: readonly DraftTimesPart[];
  readonly dates: readonly DraftDate[];
}

export const noTimes: DraftTimes = { parts: [], dates: [] };

/** Begins where no earlier page has been: a form that is back after a reload has keys of its own time. */
let lastKey = Date.now();

/** Nights, from which most begin; beside others, of the days that have none yet. */
export function newPart(others: readonly TimesOfDay[] = []): DraftTimesPart {
  const free = weekdays.filter((day) => !others.some(({ days }) => days.includes(day)));
  return { key: ++lastKey, days: free.length === 0 ? weekdays : free, from: "20:00", until: "06:00" };
}

export function newDate(day = ""): DraftDate {
  return { key: ++lastKey, day };
}

export function draftTimesOf(times: RuleTimes | null): DraftTimes {
  if (times === null) return noTimes;
  return {
    parts: times.within.map((part) => ({ ...part, key: ++lastKey })),
    dates: times.dates_off.map(newDate),
  };
}

/** A date that nobody entered is none. Null: something is missing, which the form says. */
export function timesOfDraft({ parts, dates }: DraftTimes): (RuleTimes & Json) | "always" | null {
  const days = dates.map(({ day }) => day).filter((day) => day !== "");
  if (parts.some((part) => !isComplete(part)) || !days.every(isDay)) return null;
  if (parts.length + days.length === 0) return "always";
  return {
    within: parts.map((part) => ({ days: part.days, from: part.from, until: part.until })),
    dates_off: [...new Set(days)].sort(),
  };
}

function isComplete({ days, from, until }: DraftTimesPart): boolean {
  return days.length > 0 && from !== "" && until !== "";
}

export function withDay(days: readonly Weekday[], day: Weekday, isWanted: boolean): readonly Weekday[] {
  return weekdays.filter((one) => (one === day ? isWanted : days.includes(one)));
}
