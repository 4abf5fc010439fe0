import type { MileageFact } from "../facts.ts";
import type { Gain } from "../trips/gain.ts";
import { type DayOdometer, odometerDistanceMm } from "./odometer.ts";

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
  readonly drivingMs: number;
  readonly idleMs: number;
  readonly maxSpeedKmh: number | null;
  /** Trips that are over. */
  readonly tripCount: number;
  readonly odometer: DayOdometer | null;
  readonly updatedAt: number;
}

export function emptyDay(day: number, updatedAt: number): DayTally {
  return {
    day,
    endsAt: null,
    gpsMm: 0,
    gapMm: 0,
    drivingMs: 0,
    idleMs: 0,
    maxSpeedKmh: null,
    tripCount: 0,
    odometer: null,
    updatedAt,
  };
}

/** A day with a gain, or the part of one that is of this day. */
export function withGain(tally: DayTally, part: Omit<Gain, "from" | "to">, updatedAt: number): DayTally {
  return {
    ...tally,
    gpsMm: tally.gpsMm + part.distanceMm,
    gapMm: tally.gapMm + part.gapMm,
    drivingMs: tally.drivingMs + part.drivingMs,
    idleMs: tally.idleMs + part.idleMs,
    updatedAt: Math.max(tally.updatedAt, updatedAt),
  };
}

/**
 * The part of a gain between two moments, by time. Adjacent parts add up exactly to the whole: each is the gain up to
 * its end minus the gain up to its beginning.
 */
export function partOf(gain: Gain, begin: number, end: number): Omit<Gain, "from" | "to"> {
  const ms = gain.to - gain.from;
  const before = ms === 0 ? 0 : (begin - gain.from) / ms;
  const until = ms === 0 ? 1 : (end - gain.from) / ms;
  const between = (whole: number) => Math.round(whole * until) - Math.round(whole * before);
  return {
    distanceMm: between(gain.distanceMm),
    gapMm: between(gain.gapMm),
    drivingMs: between(gain.drivingMs),
    idleMs: between(gain.idleMs),
  };
}

/** The day's row, with the trips that are not over yet. */
export function factOf(tally: DayTally, openTrips: number): MileageFact {
  const { day, gpsMm, gapMm, drivingMs, idleMs, maxSpeedKmh, odometer, updatedAt } = tally;
  const odometerMm = odometer === null ? null : odometerDistanceMm(odometer, gpsMm);
  return {
    kind: "day",
    day,
    distanceMm: odometerMm ?? gpsMm,
    distanceSource: odometerMm === null ? "gps" : "odometer",
    startOdometerKm: odometer === null ? null : odometer.startMm / 1e6,
    endOdometerKm: odometer === null ? null : odometer.endMm / 1e6,
    tripCount: tally.tripCount + openTrips,
    drivingMs,
    idleMs,
    maxSpeedKmh,
    gapDistanceMm: gapMm,
    updatedAt,
  };
}
