import { type Course, distanceMm } from "./course.ts";

/** What a trip or a gap adds to the mileage, between two moments. */
export interface MileageDelta {
  readonly from: number;
  readonly to: number;
  readonly distanceMm: number;
  /** The part of the distance that was driven unseen. */
  readonly gapMm: number;
  readonly drivingMs: number;
  readonly idleMs: number;
  /** How far it was moved without being driven; no part of the distance. */
  readonly carriedMm: number;
}

export const noDeltas: readonly MileageDelta[] = [];

/** From one place that a course reached to a later one. */
export function deltaBetween(before: Course, after: Course): readonly MileageDelta[] {
  return deltaSince(before.last.at, before, after);
}

/** From the start of a trip on. */
export function deltaFrom(start: { readonly at: number }, after: Course): readonly MileageDelta[] {
  return deltaSince(start.at, null, after);
}

function deltaSince(from: number, before: Course | null, after: Course): readonly MileageDelta[] {
  const delta = {
    from,
    to: after.last.at,
    distanceMm: distanceMm(after) - (before === null ? 0 : distanceMm(before)),
    gapMm: after.gapMm - (before?.gapMm ?? 0),
    drivingMs: after.drivingMs - (before?.drivingMs ?? 0),
    idleMs: after.idleMs - (before?.idleMs ?? 0),
    carriedMm: 0,
  };
  return delta.distanceMm === 0 && delta.drivingMs === 0 && delta.idleMs === 0 ? noDeltas : [delta];
}

export function unseenDelta(from: number, to: number, mm: number): MileageDelta {
  return { from, to, distanceMm: mm, gapMm: mm, drivingMs: 0, idleMs: 0, carriedMm: 0 };
}

/** A vehicle that was towed, or shipped. */
export function carriedDelta(from: number, to: number, carriedMm: number): readonly MileageDelta[] {
  return carriedMm === 0 ? noDeltas : [{ from, to, distanceMm: 0, gapMm: 0, drivingMs: 0, idleMs: 0, carriedMm }];
}

/** An engine that ran while the vehicle stood. */
export function idleDelta(from: number, to: number, idleMs: number): readonly MileageDelta[] {
  return [{ from, to, distanceMm: 0, gapMm: 0, drivingMs: 0, idleMs, carriedMm: 0 }];
}
