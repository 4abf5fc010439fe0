import type { Limits } from "../domain/fleet.ts";
import { dayMs, dayOf } from "../domain/time/time.ts";
import type { ViewerCounters } from "../store/changes/viewer-counters.ts";

/** The figures that every response carries. */
export interface MeterReading {
  /** The UTC day that they are of, counted from 1970-01-01. */
  readonly day: number;
  readonly limitPerDay: number;
  readonly remainingDay: number;
  readonly resetSeconds: number;
  readonly limitPerSecond: number;
  readonly remainingSecond: number;
}

/** Which limit refused a call; `account`: that of the day for all keys of the account together. */
export type ExceededLimit = "second" | "day" | "account";

export interface Spent {
  readonly reading: MeterReading;
  readonly refusal: ExceededLimit | null;
  /** The counters of the key's viewer, where the store was asked for both at once. */
  readonly counters?: ViewerCounters | null;
}

/**
 * A step back of the clock by no more than this is a call that began before others and is counted after them. Further back,
 * the clock was set back, and its second is new: otherwise nobody could call until it has caught up.
 */
const toleratedSeconds = 2;

/** How many calls came in the clock's second. */
export class SecondWindow {
  second = 0;
  used = 0;

  /** Takes a slot. A refused call uses one, too. */
  take(perSecond: number, now: number): boolean {
    const second = Math.floor(now / 1000);
    if (!this.#holds(second)) {
      this.second = second;
      this.used = 0;
    }
    this.used++;
    return this.used <= perSecond;
  }

  usedAt(now: number): number {
    return this.#holds(Math.floor(now / 1000)) ? this.used : 0;
  }

  #holds(second: number): boolean {
    return second <= this.second && second >= this.second - toleratedSeconds;
  }
}

/** A window of the clock's second and one of the UTC day, as the headers promise them. In memory only. */
export class Counter {
  readonly window = new SecondWindow();
  #day = 0;
  #dayUsed = 0;
  /** The day before the clock went to another: it may come back. */
  #otherDay = 0;
  #otherDayUsed = 0;

  takeSecond(limits: Limits, now: number): boolean {
    return this.window.take(limits.perSecond, now);
  }

  takeDay(limits: Limits, now: number): boolean {
    this.#turnTo(dayOf(now));
    if (this.#dayUsed >= limits.perDay) return false;
    this.#dayUsed++;
    return true;
  }

  read(limits: Limits, now: number): MeterReading {
    this.#turnTo(dayOf(now));
    return meterReading(limits, { day: this.#dayUsed, second: this.window.usedAt(now) }, now);
  }

  /** What was used of a day is not forgotten when the clock is a day ahead by mistake and is put right. */
  #turnTo(day: number): void {
    if (day === this.#day) return;
    const used = day === this.#otherDay ? this.#otherDayUsed : 0;
    this.#otherDay = this.#day;
    this.#otherDayUsed = this.#dayUsed;
    this.#day = day;
    this.#dayUsed = used;
  }
}

/** What is used; of the day also by all keys of the account together, if they share a limit. */
export interface Used {
  readonly day: number;
  readonly second: number;
  readonly account?: { readonly used: number; readonly perDay: number } | null;
}

/** Of two limits of the day, the one that leaves less is shown. */
export function meterReading(limits: Limits, used: Used, now: number, day = dayOf(now)): MeterReading {
  const ofKey = Math.max(0, limits.perDay - used.day);
  const ofAccount = used.account ? Math.max(0, used.account.perDay - used.account.used) : Number.POSITIVE_INFINITY;
  const isOfAccount = used.account != null && ofAccount < ofKey;
  return {
    day,
    limitPerDay: used.account && isOfAccount ? used.account.perDay : limits.perDay,
    remainingDay: isOfAccount ? ofAccount : ofKey,
    resetSeconds: Math.ceil((dayMs - (now % dayMs)) / 1000),
    limitPerSecond: limits.perSecond,
    remainingSecond: Math.max(0, limits.perSecond - used.second),
  };
}
