import { type DayOdometer, extendOdometer, isSteadyStep, mmBetween, type Reading, startOdometer } from "./odometer.ts";

/**
 * The odometers of two days around the midnight that ends the first, so that the new day starts where the one before
 * ended. `last` and `reading` are the readings before and at the new day's first frame; null where there was none.
 */
export function odometersAround(
  midnight: number,
  odometer: DayOdometer | null,
  last: Reading | null,
  reading: Reading | null,
): readonly [DayOdometer | null, DayOdometer | null] {
  if (reading === null) return [odometer, null];
  // The odometer was replaced or reset: each day counts only its own readings.
  if (last === null || !isSteadyStep(last, reading)) return [odometer, startOdometer(reading.mm)];
  const midnightMm = mmBetween(last, reading, midnight);
  const evening = extendOdometer(odometer ?? startOdometer(last.mm), midnightMm, true);
  return [evening, extendOdometer(startOdometer(midnightMm), reading.mm, true)];
}
