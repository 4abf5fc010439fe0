import type { Fix, Leg } from "../sighting.ts";
import { partOf } from "./counted-leg.ts";
import { addToDay, type DayTally, dayMs, emptyDay, type LegPart, nothing } from "./day-tally.ts";
import { extendOdometer, isSteadyStep, mmBetween, type Reading, startOdometer } from "./odometer.ts";

/** What leads from the last frame of one day to the first of a later one. */
export interface NightStep {
  readonly fix: Fix;
  readonly leg: Leg | null;
  /** What the leg counts for. */
  readonly whole: LegPart;
  /** The odometer before and at the frame; null where it was not read. */
  readonly lastReading: Reading | null;
  readonly reading: Reading | null;
}

/**
 * Splits a leg at every midnight it crosses. Gives the day it began in, then those it passed through, if it counts for
 * anything there, and at last the new day with its first frame. The odometer is split the same way, so that one day ends
 * where the next one starts.
 */
export function crossMidnights(first: DayTally, newDay: number, step: NightStep): DayTally[] {
  const { fix, leg, whole } = step;
  const days: DayTally[] = [];
  const isSplit = leg !== null && whole !== nothing;
  for (let day = first.day; day <= newDay; day++) {
    const begin = Math.max(day * dayMs, leg?.from.at ?? 0);
    const end = Math.min((day + 1) * dayMs, fix.at);
    const part = isSplit ? partOf(whole, leg, begin, end) : nothing;
    const tally = day === first.day ? first : emptyDay(day, fix.receivedAt);
    const isPassed = day !== first.day && day !== newDay;
    if (isPassed && part.distanceMm === 0) continue;
    const odometer = odometerOver(tally, newDay, step);
    // A night that adds nothing to a day leaves it as it was known before.
    const isTouched = isSplit || day === newDay || odometer?.endMm !== tally.odometer?.endMm;
    const receivedAt = isTouched ? fix.receivedAt : tally.updatedAt;
    days.push(addToDay(tally, part, day === newDay ? fix.speedKmh : null, odometer, receivedAt));
  }
  return days;
}

function odometerOver({ day, odometer }: DayTally, newDay: number, { lastReading, reading }: NightStep) {
  if (reading === null) return odometer;
  if (lastReading === null || !isSteadyStep(lastReading, reading)) {
    // A new odometer, or one that was set: each day keeps to its own readings.
    return day === newDay ? startOdometer(reading.mm) : odometer;
  }
  const starts = day * dayMs;
  const mmAt = (at: number) => mmBetween(lastReading, reading, at);
  const started = odometer ?? startOdometer(starts > lastReading.at ? mmAt(starts) : lastReading.mm);
  return extendOdometer(started, day === newDay ? reading.mm : mmAt(starts + dayMs), true);
}
