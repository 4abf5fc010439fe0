import type { LevelChange, PastLevel, TankReading } from "./tank.ts";

/** How large a rise or a fall must be to be reported, in the tank's unit. */
export interface FuelThresholds {
  readonly refill: number;
  readonly drain: number;
  /** Of a level that nothing shows but readings on the road, before and after a silence: waves and slopes are less. */
  readonly silentDrain: number;
}

/** Shorter than any refill: if two readings are this far apart, the vehicle may have stood in between. */
const shortestStopMs = 120_000;

/** A vehicle that moved less than this was standing. */
export const fuelStandingMetres = 100;

/** Fuel that is gone for good is still gone after this time. */
const stableMs = 300_000;

/**
 * As a share of the threshold: within this, a level counts as the same. A leak that reaches the threshold in 30 min
 * exceeds this in 2 min, so it is never taken for stable. Noise only delays: only a new extreme counts as a further
 * change.
 */
const sameLevelShare = 1 / 16;

/** The same for one reading, which is about twice as noisy as a median of five. */
const sameReadingShare = 1 / 8;

/** In litres of a tank with a capacity, else in percent. */
export function fuelThresholds(capacityL: number | null): FuelThresholds {
  if (capacityL === null) return { refill: 8, drain: 5, silentDrain: 8 };
  const eight = (8 * capacityL) / 100;
  return { refill: Math.max(eight, 10), drain: Math.max((5 * capacityL) / 100, 8), silentDrain: Math.max(eight, 5) };
}

/** The change that a tank's last reading shows; "none", or "apparent" if waves or a slope may have caused it. */
export function findChange(
  readings: readonly TankReading[],
  median: number,
  past: readonly PastLevel[],
  thresholds: FuelThresholds,
): LevelChange | "none" | "apparent" {
  let lowest = Number.POSITIVE_INFINITY;
  let highestDue = Number.NEGATIVE_INFINITY;
  for (const { level, due } of past) {
    lowest = Math.min(lowest, level);
    highestDue = Math.max(highestDue, due);
  }
  if (median - lowest >= thresholds.refill)
    return changeFrom(lowest, median, "fuel_refill", readings, thresholds.refill);
  if (highestDue - median >= thresholds.drain)
    return changeFrom(highestDue, median, "fuel_drain", readings, thresholds.drain);
  return "none";
}

function changeFrom(
  from: number,
  level: number,
  alertType: LevelChange["alertType"],
  readings: readonly TankReading[],
  threshold: number,
): LevelChange | "apparent" {
  const sign = alertType === "fuel_refill" ? 1 : -1;
  const halfway = (level - from) * sign * 0.5;
  const index = readings.findIndex((reading) => (reading.level - from) * sign >= halfway);
  const first = readings[index];
  const before = readings[index - 1];
  if (first === undefined || !(hasStood(readings) || isAtStop(alertType, before, first))) return "apparent";
  const sameLevel = threshold * sameLevelShare;
  const last = readings[readings.length - 1] ?? first;
  const lastUnlike = readings.findLastIndex((reading) => Math.abs(reading.level - last.level) > sameLevel);
  const settledAt = (readings[lastUnlike + 1] ?? last).at;
  const updatedAt = readings.reduce((latest, { receivedAt }) => Math.max(latest, receivedAt), 0);
  const { at, latitude, longitude } = first;
  return { alertType, at, latitude, longitude, from, level, settledAt, updatedAt };
}

function hasStood(readings: readonly TankReading[]): boolean {
  return readings.every(({ isStill, metres }, index) => isStill && (index === 0 || metres <= fuelStandingMetres));
}

/** A change shows between two readings at a standstill; else it is a slope. A tank may be filled unseen, too. */
function isAtStop(alertType: LevelChange["alertType"], before: TankReading | undefined, first: TankReading): boolean {
  if (before === undefined) return false;
  if (alertType === "fuel_refill" && first.at - before.at >= shortestStopMs) return true;
  return before.isStill && first.isStill && first.metres <= fuelStandingMetres;
}

/** The change after another reading: still open, or `over` by this amount; 0 if it came to nothing. */
export function followChange(
  change: LevelChange,
  median: number,
  { at, receivedAt, level: newest }: TankReading,
  thresholds: FuelThresholds,
): LevelChange | { readonly over: number } {
  const isRefill = change.alertType === "fuel_refill";
  const sign = isRefill ? 1 : -1;
  const threshold = isRefill ? thresholds.refill : thresholds.drain;
  const amount = (median - change.from) * sign;
  // Half of it came back, or expected use explains all of it by now.
  if (amount <= (change.level - change.from) * sign * 0.5 || amount <= 0) return { over: 0 };
  if ((median - change.level) * sign > threshold * sameLevelShare) {
    return { ...change, level: median, settledAt: at, updatedAt: Math.max(change.updatedAt, receivedAt) };
  }
  // The median is two readings late, which is hours at night: if the newest is further, the median may still get there.
  const isFurther = (newest - change.level) * sign > threshold * sameReadingShare;
  if (at - change.settledAt < stableMs || isFurther) return change;
  return { over: amount >= threshold ? amount : 0 };
}
