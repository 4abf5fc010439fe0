export interface DayOdometer {
  readonly startMm: number;
  readonly endMm: number;
  /** Start and end were read at two moments; a single reading shows no distance. */
  readonly isSpan: boolean;
  /** It never fell and never jumped ahead. */
  readonly isSteady: boolean;
  /** What was driven from this moment on is in it: that of its first reading, or 0 if it goes on from an earlier day. */
  readonly fromAt: number;
  /** What was driven until this moment is in it: that of its last reading. */
  readonly toAt: number;
}

/** The last reading, on any day. */
export interface Reading {
  readonly at: number;
  readonly mm: number;
  /** Since when the odometer has shown this. */
  readonly since: number;
}

const maxMmPerMs = 250 / 3.6;

/** Many odometers count whole kilometres: a step of up to this is timed from when the odometer last moved. */
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

export function startOdometer({ mm, at }: Reading): DayOdometer {
  return { startMm: mm, endMm: mm, isSpan: false, isSteady: true, fromAt: at, toAt: at };
}

/** An odometer that goes on where it was last read on the day before. */
export function resumedOdometer(last: Reading): DayOdometer {
  return { ...startOdometer(last), fromAt: 0 };
}

export function extendOdometer(before: DayOdometer, { mm, at }: Reading, isSteadyNow: boolean): DayOdometer {
  return { ...before, endMm: mm, isSpan: true, isSteady: before.isSteady && isSteadyNow, toAt: at };
}

/** Whether the odometer's way may be right if the positions' way of the same time is this long. */
export function agrees(odometerMm: number, gpsMm: number): boolean {
  return Math.abs(odometerMm - gpsMm) <= Math.max(agreeingMm, agreeingShare * gpsMm);
}
