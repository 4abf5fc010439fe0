/** What the odometer says of one day. */
export interface DayOdometer {
  readonly startMm: number;
  readonly endMm: number;
  /** Start and end were read at two moments; one reading alone says nothing of a distance. */
  readonly isSpan: boolean;
  /** It never fell and never ran away. */
  readonly isSteady: boolean;
}

/** The last reading, on whichever day. */
export interface Reading {
  readonly at: number;
  readonly mm: number;
  /** Since when the odometer has shown this. */
  readonly since: number;
}

const maxMmPerMs = 250 / 3.6;

/**
 * Many odometers count in whole kilometres, so that one step is a kilometre in a second. A step as small as this is timed
 * from when the odometer last moved; a larger one from the frame before.
 */
const coarseStepMm = 1_000_000;

const agreeingMm = 2_000_000;
const agreeingShare = 0.25;

export function readingAfter(last: Reading | null, at: number, odometerKm: number): Reading {
  const mm = Math.round(odometerKm * 1e6);
  return { at, mm, since: last !== null && last.mm === mm ? last.since : at };
}

/** Whether the odometer can have come from one reading to the next. */
export function isSteadyStep(from: Reading, to: Reading): boolean {
  const mm = to.mm - from.mm;
  if (mm <= 0) return mm === 0;
  return mm <= maxMmPerMs * (to.at - (mm <= coarseStepMm ? from.since : from.at));
}

/**
 * What the odometer showed at a moment between two readings, by time: the same way a leg is split at midnight, so that
 * what one day does not have, the next one does.
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

/** The day's distance by the odometer; null if it cannot be believed. The positions say what a quarter of it is. */
export function odometerDistanceMm({ startMm, endMm, isSpan, isSteady }: DayOdometer, gpsMm: number): number | null {
  if (!isSpan || !isSteady) return null;
  const mm = endMm - startMm;
  return Math.abs(mm - gpsMm) <= Math.max(agreeingMm, agreeingShare * gpsMm) ? mm : null;
}
