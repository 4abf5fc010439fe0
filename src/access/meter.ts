import type { Limits } from "../domain/fleet.ts";
import { dayMs } from "../domain/window.ts";

/** The figures that every response carries. */
export interface MeterReading {
  readonly limitPerDay: number;
  readonly remainingDay: number;
  readonly resetSeconds: number;
  readonly limitPerSecond: number;
  readonly remainingSecond: number;
}

/** Which limit refused a call. */
export type Refusal = "second" | "day";

export interface Spent {
  readonly reading: MeterReading;
  readonly refusal: Refusal | null;
}

/** A step back of the clock by less than this is a call that began before others and is counted after them. */
const outOfOrderSeconds = 60;

/** A window of the clock's second and one of the UTC day, as the headers promise them. */
export class Counter {
  day = 0;
  dayUsed = 0;
  second = 0;
  secondUsed = 0;
  lastUsedAt = 0;

  /** Takes a slot of the second. A refused call uses one, too. */
  takeSecond(limits: Limits, now: number): boolean {
    this.#turnTo(now);
    this.lastUsedAt = now;
    this.secondUsed++;
    return this.secondUsed <= limits.perSecond;
  }

  takeDay(limits: Limits, now: number): boolean {
    this.#turnTo(now);
    if (this.dayUsed >= limits.perDay) return false;
    this.dayUsed++;
    return true;
  }

  giveBackDay(now: number): void {
    this.#turnTo(now);
    if (this.dayUsed > 0) this.dayUsed--;
  }

  read(limits: Limits, now: number): MeterReading {
    this.#turnTo(now);
    return meterReading(limits, this.dayUsed, this.secondUsed, now);
  }

  #turnTo(now: number): void {
    const second = Math.floor(now / 1000);
    if (second <= this.second && second > this.second - outOfOrderSeconds) return;
    this.second = second;
    this.secondUsed = 0;
    const day = Math.floor(now / dayMs);
    if (day !== this.day) {
      this.day = day;
      this.dayUsed = 0;
    }
  }
}

export function meterReading(limits: Limits, dayUsed: number, secondUsed: number, now: number): MeterReading {
  return {
    limitPerDay: limits.perDay,
    remainingDay: Math.max(0, limits.perDay - dayUsed),
    resetSeconds: Math.ceil((dayMs - (now % dayMs)) / 1000),
    limitPerSecond: limits.perSecond,
    remainingSecond: Math.max(0, limits.perSecond - secondUsed),
  };
}
