import type { MileageFact } from "../facts.ts";
import type { MileageDelta } from "../trips/mileage-delta.ts";
import { type DayOdometer, hasMoved } from "./odometer.ts";
import { odometerFits } from "./odometer-fit.ts";

/** What adds up over one day. */
export interface DayTally {
  /** Days since 1970-01-01. */
  readonly day: number;
  /** The midnight that ended it, once a frame of a later day has come. */
  readonly endsAt: number | null;
  /** By the positions: the sum over all days is the sum of all that was counted. */
  readonly gpsMm: number;
  /** The part of it that comes from gaps. */
  readonly gapMm: number;
  /** How far the vehicle was moved without being driven; no part of `gpsMm`. */
  readonly carriedMm: number;
  /** How much longer the way may have been. */
  readonly doubtMm: number;
  readonly drivingMs: number;
  readonly idleMs: number;
  readonly maxSpeedKmh: number | null;
  /** Trips that are over. */
  readonly tripCount: number;
  readonly odometer: DayOdometer | null;
  /** The part of `gpsMm` that the odometer counts as well: from one reading to the next. */
  readonly coveredMm: number;
  /** The part of it since the odometer last moved, on this day or before. When it moves again, it is covered. */
  readonly sinceMm: number;
  /** What earlier days count by positions since the odometer last moved, if this day's odometer contains it; else null. */
  readonly earlierMm: number | null;
  readonly updatedAt: number;
}

export function emptyDay(day: number, updatedAt: number): DayTally {
  return {
    day,
    endsAt: null,
    gpsMm: 0,
    gapMm: 0,
    carriedMm: 0,
    doubtMm: 0,
    drivingMs: 0,
    idleMs: 0,
    maxSpeedKmh: null,
    tripCount: 0,
    odometer: null,
    coveredMm: 0,
    sinceMm: 0,
    earlierMm: null,
    updatedAt,
  };
}

export function withDelta(tally: DayTally, part: DeltaPart, updatedAt: number): DayTally {
  const isSinceReading = tally.odometer !== null || tally.earlierMm !== null;
  return {
    ...tally,
    gpsMm: tally.gpsMm + part.distanceMm,
    gapMm: tally.gapMm + part.gapMm,
    carriedMm: tally.carriedMm + part.carriedMm,
    drivingMs: tally.drivingMs + part.drivingMs,
    idleMs: tally.idleMs + part.idleMs,
    coveredMm: tally.coveredMm + part.coveredMm,
    sinceMm: tally.sinceMm + (isSinceReading ? part.sinceMm : 0),
    updatedAt: Math.max(tally.updatedAt, updatedAt),
  };
}

/** A part of a delta, and how much of its distance the odometer counts, or has not counted yet. */
export interface DeltaPart extends Omit<MileageDelta, "from" | "to"> {
  readonly coveredMm: number;
  readonly sinceMm: number;
}

/** The part of a delta between two moments. Adjacent parts add up exactly: each is up to its end minus up to its begin. */
export function deltaPartOf(delta: MileageDelta, begin: number, end: number, odometer: DayOdometer | null): DeltaPart {
  const ms = delta.to - delta.from;
  const before = ms === 0 ? 0 : (begin - delta.from) / ms;
  const until = ms === 0 ? 1 : (end - delta.from) / ms;
  const shareAt = (at: number) => {
    const share = ms === 0 ? Number(at >= delta.to) : (at - delta.from) / ms;
    return Math.min(Math.max(share, before), until);
  };
  const between = (whole: number, from = before, to = until) => Math.round(whole * to) - Math.round(whole * from);
  const coveredFrom = odometer === null ? before : shareAt(odometer.fromAt);
  const coveredTo = odometer === null ? before : shareAt(odometer.toAt);
  return {
    distanceMm: between(delta.distanceMm),
    gapMm: between(delta.gapMm),
    carriedMm: between(delta.carriedMm),
    drivingMs: between(delta.drivingMs),
    idleMs: between(delta.idleMs),
    coveredMm: between(delta.distanceMm, coveredFrom, coveredTo),
    sinceMm: between(delta.distanceMm, coveredTo),
  };
}

/**
 * What the odometer shows of the day; null if it is not used. `fittedBefore`: what the days before said about it, for a
 * day that does not say. Below 0 if it ran less than earlier days count.
 */
export function odometerMmOf(tally: DayTally, fittedBefore: boolean | null): number | null {
  const { odometer, gpsMm, coveredMm, earlierMm } = tally;
  if (odometer === null || !odometer.isSpan || !odometer.isSteady) return null;
  if ((fitOf(tally) ?? fittedBefore) === false) return null;
  const odometerMm = odometer.endMm - odometer.startMm - (earlierMm ?? 0);
  return odometerMm + gpsMm - coveredMm < 0 ? null : odometerMm;
}

/** Whether the day shows that the odometer is right, or wrong; null if it does not. */
export function fitOf({ odometer, coveredMm, earlierMm, doubtMm }: DayTally): boolean | null {
  if (odometer === null || !odometer.isSpan || !odometer.isSteady) return null;
  return odometerFits(odometer, { mm: coveredMm + (earlierMm ?? 0), doubtMm });
}

/** The day's row, with the trips that are not over yet. Where the odometer was not read, the positions count. */
export function dayFactOf(tally: DayTally, fittedBefore: boolean | null, openTrips: number): MileageFact {
  const { day, gpsMm, gapMm, carriedMm, drivingMs, idleMs, maxSpeedKmh, coveredMm, updatedAt } = tally;
  const odometerMm = odometerMmOf(tally, fittedBefore);
  const besidesMm = gpsMm - coveredMm;
  return {
    kind: "day",
    day,
    distanceMm: odometerMm === null ? gpsMm : odometerMm + besidesMm,
    distanceSource: odometerMm === null || odometerMm < besidesMm ? "gps" : "odometer",
    startOdometerKm: startKmOf(tally),
    endOdometerKm: endKmOf(tally),
    tripCount: tally.tripCount + openTrips,
    drivingMs,
    idleMs,
    maxSpeedKmh,
    gapDistanceMm: gapMm,
    carriedMm,
    updatedAt,
  };
}

/** At midnight, as far as the positions show it: an odometer moves in steps, and is not read all the time. */
function startKmOf({ odometer, earlierMm, gpsMm, coveredMm, sinceMm }: DayTally): number | null {
  if (odometer === null) return null;
  const beforeMm = odometer.fromAt === 0 ? 0 : gpsMm - coveredMm - sinceMm;
  return (odometer.startMm + (earlierMm ?? 0) - beforeMm) / 1e6;
}

function endKmOf({ odometer, earlierMm, sinceMm }: DayTally): number | null {
  if (odometer === null) return null;
  return (odometer.endMm + sinceMm + (hasMoved(odometer) ? 0 : (earlierMm ?? 0))) / 1e6;
}
