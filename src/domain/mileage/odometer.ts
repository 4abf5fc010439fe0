export interface DayOdometer {
  readonly startMm: number;
  readonly endMm: number;
  /** Start and end were read at two moments; a single reading shows no distance. */
  readonly isSpan: boolean;
  /** It never fell and never jumped ahead. */
  readonly isSteady: boolean;
  /** What was driven from this moment on is in it: that of its first reading, or 0 if it goes on from an earlier day. */
  readonly fromAt: number;
  /** What was driven until this moment is in it: that of the reading at which it last moved. */
  readonly toAt: number;
}

/** The last reading, on any day. */
export interface OdometerReading {
  readonly at: number;
  readonly mm: number;
  /** Since when the odometer has shown this. */
  readonly since: number;
}

const maxMmPerMs = 250 / 3.6;

/**
 * Many odometers count whole kilometres; others are late for a moment, or are updated every half a minute. Only farther steps
 * are held against the time: a wrong odometer adds up, and then disagrees with the positions.
 */
const coarseStepMm = 1_000_000;
/** Engines tell how far they came at least this often. */
const updateMs = 60_000;
/** The coarsest of the others, that many trackers send. */
const fineStepMm = 100_000;

export function readingAfter(last: OdometerReading | null, at: number, odometerKm: number): OdometerReading {
  const mm = Math.round(odometerKm * 1e6);
  return { at, mm, since: last !== null && last.mm === mm ? last.since : at };
}

/** Whether the odometer can have moved from one reading to the next. */
export function isSteadyStep(from: OdometerReading, to: OdometerReading): boolean {
  const mm = to.mm - from.mm;
  if (mm <= 0) return mm === 0;
  const isCoarse = from.mm % coarseStepMm === 0;
  const shownMs = isCoarse ? to.at - from.at : Math.max(to.at - from.at, Math.min(updateMs, to.at - from.since));
  return mm <= Math.max(coarseStepMm, maxMmPerMs * shownMs);
}

export function startOdometer({ mm, at }: OdometerReading): DayOdometer {
  return { startMm: mm, endMm: mm, isSpan: false, isSteady: true, fromAt: at, toAt: at };
}

/** An odometer that goes on where it last moved on an earlier day. */
export function resumedOdometer({ mm, since }: OdometerReading): DayOdometer {
  return { ...startOdometer({ mm, at: since, since }), fromAt: 0 };
}

/** Whether its start lies somewhere within a whole kilometre: its first reading, which did not see it move. */
export function isMidStep({ isSpan, fromAt, startMm }: DayOdometer, { mm }: Pick<OdometerReading, "mm">): boolean {
  return !isSpan && fromAt !== 0 && stepMmOf({ startMm, endMm: mm }) === coarseStepMm;
}

/** One that is read again and stands. */
export function confirmedOdometer(before: DayOdometer, reading: OdometerReading): DayOdometer {
  return before.isSpan || isMidStep(before, reading) ? before : { ...before, isSpan: true };
}

export function hasMoved({ startMm, endMm }: DayOdometer): boolean {
  return startMm !== endMm;
}

/** An odometer that begins where it was seen to move. */
export function restartedOdometer(reading: OdometerReading): DayOdometer {
  return { ...startOdometer(reading), isSpan: true };
}

export function extendOdometer(before: DayOdometer, { mm, at }: OdometerReading, isSteadyNow: boolean): DayOdometer {
  const { startMm, isSteady, fromAt } = before;
  return { startMm, endMm: mm, isSpan: true, isSteady: isSteady && isSteadyNow, fromAt, toAt: at };
}

/** By how much an odometer may be behind what was driven: its step. */
export function stepMmOf({ startMm, endMm }: Pick<DayOdometer, "startMm" | "endMm">): number {
  return startMm % coarseStepMm === 0 && endMm % coarseStepMm === 0 ? coarseStepMm : fineStepMm;
}
