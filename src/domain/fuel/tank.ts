import type { FuelReport } from "../frame.ts";

/** What a tank is read in: litres wherever they are known. */
export type FuelUnit = "L" | "%";

/** One reading of a tank. */
export interface TankReading {
  readonly at: number;
  readonly level: number;
  /** Standing, as far as the frame says. */
  readonly isStill: boolean;
  readonly isIgnitionOn: boolean;
  /** Driven since the reading before. */
  readonly metres: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** A median that later ones are compared with. */
export interface PastLevel {
  readonly at: number;
  readonly level: number;
  /** What may be left of it by now, after generous use. */
  readonly due: number;
}

/** A rise or a fall that has been seen, and has yet to last. */
export interface LevelChange {
  readonly alertType: "fuel_refill" | "fuel_drain";
  /** The first reading that showed it. */
  readonly at: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly from: number;
  /** The furthest so far, and since when. */
  readonly level: number;
  readonly settledAt: number;
}

export interface Tank {
  readonly sensor: string;
  readonly unit: FuelUnit;
  /** The last five at most. */
  readonly readings: readonly TankReading[];
  /** In ascending time. */
  readonly past: readonly PastLevel[];
  readonly change: LevelChange | null;
  /** Driven since the last reading. */
  readonly metres: number;
}

/** How many readings a median is taken of: waves in the tank are shorter. */
export const readingsPerMedian = 5;

/** No tank of a vehicle holds more, in litres. */
const largestTankL = 100_000;

/** A sensor may show a little more than the tank is said to hold. */
const overfilled = 1.2;

/** The level that no more than half of the others are below or above. */
export function medianLevel(readings: readonly TankReading[]): number {
  const half = readings.length >> 1;
  for (const { level } of readings) {
    let below = 0;
    let above = 0;
    for (const other of readings) {
      if (other.level < level) below++;
      else if (other.level > level) above++;
    }
    if (below <= half && above <= half) return level;
  }
  return 0;
}

/**
 * With the tank's capacity in litres, else in percent if the sensor gives percent. A reading of exactly 0 is none: that is
 * what sensors show that get no power with the ignition off, and nobody drives with an empty tank.
 */
export function readLevel(
  { level_percent, volume_l }: FuelReport,
  capacityL: number | null,
): { readonly level: number; readonly unit: FuelUnit } | null {
  const percent = level_percent !== null && level_percent > 0 && level_percent <= 100 ? level_percent : null;
  const mostL = capacityL === null ? largestTankL : capacityL * overfilled;
  const litres = volume_l !== null && volume_l > 0 && volume_l <= mostL ? volume_l : null;
  if (capacityL !== null) {
    if (litres !== null) return { level: litres, unit: "L" };
    return percent === null ? null : { level: (percent * capacityL) / 100, unit: "L" };
  }
  if (level_percent !== null) return percent === null ? null : { level: percent, unit: "%" };
  return litres === null ? null : { level: litres, unit: "L" };
}
