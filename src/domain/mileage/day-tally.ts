import type { MileageFact } from "../facts.ts";
import { type DayOdometer, odometerDistanceMm } from "./odometer.ts";

/** What adds up over one day. */
export interface DayTally {
  /** Days since 1970-01-01. */
  readonly day: number;
  /** By the positions: the sum over all days is the sum of all counted legs. */
  readonly gpsMm: number;
  /** The part of it that comes from long legs. */
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

/** What a leg, or the part of it within one day, adds to the day. */
export interface LegPart {
  readonly distanceMm: number;
  readonly gapMm: number;
  readonly drivingMs: number;
  readonly idleMs: number;
}

export const nothing: LegPart = { distanceMm: 0, gapMm: 0, drivingMs: 0, idleMs: 0 };

export function addToDay(
  tally: DayTally,
  part: LegPart,
  speedKmh: number | null,
  odometer: DayOdometer | null,
  receivedAt: number,
): DayTally {
  return {
    day: tally.day,
    gpsMm: tally.gpsMm + part.distanceMm,
    gapMm: tally.gapMm + part.gapMm,
    drivingMs: tally.drivingMs + part.drivingMs,
    idleMs: tally.idleMs + part.idleMs,
    maxSpeedKmh: speedKmh === null ? tally.maxSpeedKmh : Math.max(tally.maxSpeedKmh ?? 0, speedKmh),
    tripCount: tally.tripCount,
    odometer,
    updatedAt: Math.max(tally.updatedAt, receivedAt),
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
