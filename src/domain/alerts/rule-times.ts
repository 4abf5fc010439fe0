import { BoundedMap } from "../bounded-map.ts";
import type { AlertRule } from "../fleet.ts";
import { weekOf } from "../time/calendar.ts";
import { dayMs, parseInstant } from "../time/time.ts";
import type { Zone } from "../time/time-zone.ts";

/** In the order of the week. */
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

export type Weekday = (typeof weekdays)[number];

/** On these days, from a time of the day to another, which is the next day's unless it is later. */
export interface TimesOfDay {
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly until: string;
}

/** When a rule holds, in the zone of its account; on `dates_off` all day. As settings have it. */
export interface RuleTimes {
  readonly within: readonly TimesOfDay[];
  readonly dates_off: readonly string[];
}

/** Half-open, like every window. */
export interface TimeStretch {
  readonly from: number;
  readonly until: number;
}

/** By its shape: what is in it was checked before it was stored. */
export function isRuleTimes(value: unknown): value is RuleTimes {
  if (typeof value !== "object" || value === null) return false;
  return "within" in value && Array.isArray(value.within) && "dates_off" in value && Array.isArray(value.dates_off);
}

/** Null: the rule always holds. */
export function timesOf({ parameters }: AlertRule): RuleTimes | null {
  const times: unknown = parameters.times;
  if (!isRuleTimes(times) || times.within.length + times.dates_off.length === 0) return null;
  return times;
}

export function areSameTimes(one: RuleTimes | null, other: RuleTimes | null): boolean {
  return one === other || (one !== null && other !== null && JSON.stringify(one) === JSON.stringify(other));
}

export function holdsAt(times: RuleTimes | null, zone: Zone, at: number): boolean {
  if (times === null) return true;
  const day = zone.dayOf(at);
  const contains = ({ from, until }: TimeStretch) => from <= at && at < until;
  return stretchesOn(times, zone, day).some(contains) || stretchesOn(times, zone, day - 1).some(contains);
}

/**
 * The stretches within the times that have begun by `last` and are not over at `first`, in order; those that touch are
 * one. Each starts at `first` or later, but ends when it ends.
 */
export function stretchesBetween(times: RuleTimes, zone: Zone, first: number, last: number): readonly TimeStretch[] {
  const found: TimeStretch[] = [];
  // Times over midnight are those of the day on which they begin.
  for (let day = zone.dayOf(first) - 1; day <= zone.dayOf(last); day++) {
    found.push(...stretchesOn(times, zone, day).filter(({ from, until }) => from <= last && until > first));
  }
  const joined: TimeStretch[] = [];
  for (const { from, until } of found.sort((one, other) => one.from - other.from)) {
    const before = joined.at(-1);
    if (before === undefined || from > before.until) joined.push({ from: Math.max(from, first), until });
    else if (until > before.until) joined.splice(-1, 1, { from: before.from, until });
  }
  return joined;
}

/** All days of the week, and one more for times over midnight. */
const daysAhead = 8;

/** The first moment from this one on that is within the times; if none is soon, one at which to look again. */
export function nextWithin(times: RuleTimes, zone: Zone, at: number): number {
  const today = zone.dayOf(at);
  for (let day = today - 1; day <= today + daysAhead; day++) {
    const begins = stretchesOn(times, zone, day).flatMap(({ from, until }) => (until > at ? Math.max(from, at) : []));
    if (begins.length > 0) return Math.min(...begins);
  }
  return zone.startOf(today + daysAhead);
}

/** Frames are mostly of today and yesterday; a vehicle derived again passes day after day. */
const maxDays = 16;

const known = new WeakMap<RuleTimes, BoundedMap<string, readonly TimeStretch[]>>();

/** Those that begin on a day. Found once: a day on which clocks change takes long. */
function stretchesOn(times: RuleTimes, zone: Zone, day: number): readonly TimeStretch[] {
  const days = known.get(times) ?? new BoundedMap<string, readonly TimeStretch[]>({ max: maxDays });
  known.set(times, days);
  return days.getOrMake(`${zone.name} ${day}`, () => findStretches(times, zone, day));
}

function findStretches({ within, dates_off }: RuleTimes, zone: Zone, day: number): readonly TimeStretch[] {
  if (dates_off.some((date) => parseInstant(date) === day * dayMs)) {
    // What begins on the day may last into the next one.
    return [{ from: zone.startOf(day), until: zone.startOf(day + 1) }, ...partsOf(within, zone, day)];
  }
  return partsOf(within, zone, day);
}

function partsOf(within: readonly TimesOfDay[], zone: Zone, day: number): readonly TimeStretch[] {
  const weekday = weekdays[day - weekOf(day).fromDay];
  return within
    .filter(({ days }) => days.some((one) => one === weekday))
    .map(({ from, until }) => ({
      from: zone.momentOf(day, clockMs(from)),
      until: zone.momentOf(until > from ? day : day + 1, clockMs(until)),
    }))
    .filter(({ from, until }) => from < until);
}

/** Of a time such as `06:30`. */
function clockMs(time: string): number {
  return (Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) * 60_000;
}
