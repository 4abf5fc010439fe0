import type { FuelReport } from "../frame.ts";

/** What a tank is read in: litres if its capacity is known. */
export type FuelUnit = "L" | "%";

export interface TankReading {
  readonly at: number;
  readonly receivedAt: number;
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
  /** What may be left of it by now, assuming generous use. */
  readonly due: number;
}

/** A rise or a fall that has been seen but must still last. */
export interface LevelChange {
  readonly alertType: "fuel_refill" | "fuel_drain";
  /** The first reading that showed it. */
  readonly at: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly from: number;
  /** The extreme level so far, and since when. */
  readonly level: number;
  readonly settledAt: number;
  /** When the last of the readings that show it was received. */
  readonly updatedAt: number;
}

/** Readings on the road, added up: a mean over minutes is free of waves and slopes. */
export interface LevelSum {
  /** Of the first of them. */
  readonly at: number;
  readonly sum: number;
  readonly count: number;
}

/** The readings since a silence of the sensor, until they show what happened in it. */
export interface Woken extends LevelSum {
  /** When the last of them was received. */
  readonly lastReceipt: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** What may be left of the level before the silence. In the minutes beside it an engine uses 1 % at most. */
  readonly due: number;
}

/** What is known of a sensor that gets its power with the ignition: on the road the level wavers, at night there is none. */
export interface AwakeState {
  /** The readings of the last minutes, in two parts at most. */
  readonly recent: readonly LevelSum[];
  readonly woken: Woken | null;
}

export interface Tank extends AwakeState {
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

/** The frame that reports the ignition off may still have the last level of a sensor that lost its power. */
const readingsToTrust = 3;

/** A sensor may show a little more than the tank is said to hold. */
const maxFillShare = 1.2;

/** Litres need a capacity: whether 10 L is a lot depends on the tank. Of both, 0 counts only if the other is not more. */
export function readLevel(
  { level_percent, volume_l }: FuelReport,
  capacityL: number | null,
): { readonly level: number; readonly unit: FuelUnit } | null {
  const percent = level_percent !== null && level_percent >= 0 && level_percent <= 100 ? level_percent + 0 : null;
  if (capacityL === null) return percent === null ? null : { level: percent, unit: "%" };
  const litres = volume_l !== null && volume_l >= 0 && volume_l <= capacityL * maxFillShare ? volume_l + 0 : null;
  const level = litres || (percent === null ? litres : (percent * capacityL) / 100);
  return level === null ? null : { level, unit: "L" };
}

/**
 * Whether a level of exactly 0 is an empty tank. Sensors without power also show 0 once the ignition is off, and nobody
 * drives with an empty tank. So it is empty only at a standstill, and then only if the ignition is on, or the sensor
 * has reported levels since it went off, or the tank was empty before.
 */
export function isEmpty({ readings, past }: Tank, { isStill }: TankReading, ignition: boolean | null): boolean {
  if (!isStill) return false;
  if (ignition === true || past[past.length - 1]?.level === 0) return true;
  if (ignition === null || readings.length < readingsToTrust) return false;
  return readings.slice(-readingsToTrust).every(({ isIgnitionOn }) => !isIgnitionOn);
}
