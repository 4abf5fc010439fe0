import { BoundedMap } from "../bounded-map.ts";
import { dayMs } from "./time.ts";

/** Days whose starts are found together: a power of two, so that finding a day's table needs no division. */
const daysPerTableBits = 6;
const daysPerTable = 1 << daysPerTableBits;

/** Some 45 years of a zone. Frames are of a few of them, but a request may name any. */
const maxTables = 256;

/** The starts of some days, and of one day before and after them. */
interface DayTable {
  readonly number: number;
  readonly starts: Float64Array;
}

/** The days of one time zone. `Intl` takes microseconds for each question, a table of starts nanoseconds. */
export class ZoneDays {
  readonly name: string;
  readonly #clock: Intl.DateTimeFormat;
  readonly #tables = new BoundedMap<number, DayTable>({ max: maxTables });
  /** The table that was read last: almost always it is the one that is read next. */
  #last: DayTable = { number: Number.NaN, starts: new Float64Array() };

  constructor(name: string) {
    this.name = name;
    this.#clock = clockOf(name);
  }

  dayOf(at: number): number {
    // A local date is that of UTC, or one before or after it.
    const day = Math.floor(at / dayMs);
    const starts = this.#startsAround(day);
    const index = indexOf(day);
    if ((starts[index + 1] as number) <= at) return day + 1;
    return (starts[index] as number) <= at ? day : day - 1;
  }

  startOf(day: number): number {
    return this.#startsAround(day)[indexOf(day)] as number;
  }

  momentOf(day: number, clockMs: number): number {
    const start = this.startOf(day);
    // On a day of 24 hours no clock was changed.
    if (this.startOf(day + 1) - start === dayMs) return start + clockMs;
    const periods = periodsOf(this.#clock, (day - 2) * dayMs, (day + 3) * dayMs);
    return firstMomentOf(day * dayMs + clockMs, periods);
  }

  #startsAround(day: number): Float64Array {
    const number = day >> daysPerTableBits;
    if (this.#last.number !== number) {
      this.#last = this.#tables.getOrMake(number, () => ({ number, starts: startsOf(this.#clock, number) }));
    }
    return this.#last.starts;
  }
}

/** The place of a day in its table. */
function indexOf(day: number): number {
  return (day & (daysPerTable - 1)) + 1;
}

/** A time during which the clocks of a place are set to one offset from UTC. */
interface Period {
  readonly from: number;
  readonly offsetMs: number;
}

function startsOf(clock: Intl.DateTimeFormat, tableNumber: number): Float64Array {
  const firstDay = tableNumber * daysPerTable - 1;
  const count = daysPerTable + 2;
  // A local date may begin a day before or after that of UTC, and another day is to spare.
  const periods = periodsOf(clock, (firstDay - 2) * dayMs, (firstDay + count + 2) * dayMs);
  return Float64Array.from({ length: count }, (_, index) => firstMomentOf((firstDay + index) * dayMs, periods));
}

/** The first moment at which calendar and clock show this date and time, counted as if they were UTC, or a later one. */
function firstMomentOf(shownMs: number, periods: readonly Period[]): number {
  for (const [index, { from, offsetMs }] of periods.entries()) {
    const start = Math.max(from, shownMs - offsetMs);
    if (start < (periods[index + 1]?.from ?? Number.POSITIVE_INFINITY)) return start;
  }
  throw new Error(`no clock shows ${shownMs}`);
}

/** It looks once a day: clocks have never been changed twice in less than a week, whatever the zone. */
function periodsOf(clock: Intl.DateTimeFormat, from: number, until: number): readonly Period[] {
  let offsetMs = offsetAt(clock, from);
  const periods: Period[] = [{ from: Number.NEGATIVE_INFINITY, offsetMs }];
  for (let at = from; at < until; at += dayMs) {
    const next = offsetAt(clock, at + dayMs);
    if (next === offsetMs) continue;
    periods.push({ from: changeBetween(clock, at, offsetMs, at + dayMs), offsetMs: next });
    offsetMs = next;
  }
  return periods;
}

/** The first moment after `before` at which the offset is another one. */
function changeBetween(clock: Intl.DateTimeFormat, before: number, offsetMs: number, after: number): number {
  let unchanged = before;
  let changed = after;
  while (changed - unchanged > 1) {
    const middle = Math.floor((unchanged + changed) / 2);
    if (offsetAt(clock, middle) === offsetMs) unchanged = middle;
    else changed = middle;
  }
  return changed;
}

/** Before the first change of any clock on record each place had its own mean time. `Date.UTC` misreads years before 100. */
const firstRecord = Date.UTC(1800, 0, 1);

export function offsetAt(clock: Intl.DateTimeFormat, moment: number): number {
  const at = Math.max(moment, firstRecord);
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of clock.formatToParts(at)) shown[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

export function clockOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
}
