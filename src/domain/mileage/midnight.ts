import type { Fix, Leg } from "../sighting.ts";
import { partOf } from "./counted-leg.ts";
import { addToDay, type DayTally, emptyDay, type LegPart, nothing } from "./day-tally.ts";
import { type DayOdometer, extendOdometer, isSteadyStep, mmBetween, type Reading, startOdometer } from "./odometer.ts";

/** The step from the last frame of one day to the first of a later one. */
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
 * Splits a leg at the midnight that ends the day it began on. Returns that day, and the new one with its first frame.
 * Days without a valid frame have no row: what was driven on them counts for the day of the next frame. The odometer is
 * split the same way, so that each day starts where the one before ended.
 */
export function crossMidnight(
  first: DayTally,
  newDay: number,
  midnight: number,
  step: NightStep,
): readonly [DayTally, DayTally] {
  const { fix, leg, whole } = step;
  const isSplit = leg !== null && whole !== nothing;
  const evening = isSplit ? partOf(whole, leg, leg.from.at, midnight) : nothing;
  const morning = isSplit ? partOf(whole, leg, midnight, fix.at) : nothing;
  const [before, after] = odometersAround(midnight, first.odometer, step);
  // A night that adds nothing leaves the day unchanged.
  const isTouched = isSplit || before?.endMm !== first.odometer?.endMm;
  const next = emptyDay(newDay, fix.receivedAt);
  return [
    addToDay(first, evening, null, before, isTouched ? fix.receivedAt : first.updatedAt),
    addToDay(next, morning, fix.speedKmh, after, fix.receivedAt),
  ];
}

function odometersAround(
  midnight: number,
  odometer: DayOdometer | null,
  { lastReading, reading }: NightStep,
): readonly [DayOdometer | null, DayOdometer | null] {
  if (reading === null) return [odometer, null];
  // The odometer was replaced or reset: each day counts only its own readings.
  if (lastReading === null || !isSteadyStep(lastReading, reading)) return [odometer, startOdometer(reading.mm)];
  const midnightMm = mmBetween(lastReading, reading, midnight);
  const evening = extendOdometer(odometer ?? startOdometer(lastReading.mm), midnightMm, true);
  return [evening, extendOdometer(startOdometer(midnightMm), reading.mm, true)];
}
