/** What the odometer shows of one day. */
export interface DayOdometer {
  readonly startMm: number;
  readonly endMm: number;
  /** Start and end were read at two moments; a single reading shows no distance. */
  readonly isSpan: boolean;
  /** It never fell and never jumped ahead. */
  readonly isSteady: boolean;
}

/** The last reading, on any day. */
export interface Reading {
  readonly at: number;
  readonly mm: number;
  /** Since when the odometer has shown this. */
  readonly since: number;
}

const maxMmPerMs = 250 / 3.6;

/**
 * Many odometers count whole kilometres, so that a step may be a kilometre in a second. A step of up to this much is
 * timed from when the odometer last moved; a larger one from the frame before.
 */
const coarseStepMm = 1_000_000;

const agreeingMm = 2_000_000;
const agreeingShare = 0.25;

export function readingAfter(last: Reading | null, at: number, odometerKm: number): Reading {
  const mm = Math.round(odometerKm * 1e6);
  return { at, mm, since: last !== null && last.mm === mm ? last.since : at };
}

/** Whether the odometer can have moved from one reading to the next. */
export function isSteadyStep(from: Reading, to: Reading): boolean {
  const mm = to.mm - from.mm;
  if (mm <= 0) return mm === 0;
  return mm <= maxMmPerMs * (to.at - (mm <= coarseStepMm ? from.since : from.at));
}

/**
 * What the odometer showed at a moment between two readings, by time. A leg is split at midnight the same way, so that
 * nothing is lost between days.
 */
export function mmBetween(from: Reading, to: Reading, at: number): number {
  return from.mm + Math.round((to.mm - from.mm) * ((at - from.at) / (to.at - from.at)));
}

export function startOdometer(mm: number): DayOdometer {
  return { startMm: mm, endMm: mm, isSpan: false, isSteady: true };
}

export function extendOdometer({ startMm, isSteady }: DayOdometer, mm: number, isSteadyNow: boolean): DayOdometer {
  return { startMm, endMm: mm, isSpan: true, isSteady: isSteady && isSteadyNow };
}

/** The day's distance by the odometer; null if it differs too much from the positions' to be believed. */
export function odometerDistanceMm({ startMm, endMm, isSpan, isSteady }: DayOdometer, gpsMm: number): number | null {
  if (!isSpan || !isSteady) return null;
  const mm = endMm - startMm;
  return Math.abs(mm - gpsMm) <= Math.max(agreeingMm, agreeingShare * gpsMm) ? mm : null;
}
