import { type Course, distanceMm } from "./course.ts";

/** What a trip or a gap adds to the mileage, between two moments. */
export interface Gain {
  readonly from: number;
  readonly to: number;
  readonly distanceMm: number;
  /** The part of the distance that was driven unseen. */
  readonly gapMm: number;
  readonly drivingMs: number;
  readonly idleMs: number;
}

export const noGains: readonly Gain[] = [];

/** From one place that a course reached to a later one. */
export function gainBetween(before: Course, after: Course): readonly Gain[] {
  return gainSince(before.last.at, before, after);
}

/** From the start of a trip on. */
export function gainFrom(start: { readonly at: number }, after: Course): readonly Gain[] {
  return gainSince(start.at, null, after);
}

function gainSince(from: number, before: Course | null, after: Course): readonly Gain[] {
  const gain = {
    from,
    to: after.last.at,
    distanceMm: distanceMm(after) - (before === null ? 0 : distanceMm(before)),
    gapMm: after.gapMm - (before?.gapMm ?? 0),
    drivingMs: after.drivingMs - (before?.drivingMs ?? 0),
    idleMs: after.idleMs - (before?.idleMs ?? 0),
  };
  return gain.distanceMm === 0 && gain.drivingMs === 0 && gain.idleMs === 0 ? noGains : [gain];
}

/** An engine that ran while the vehicle stood. */
export function idleGain(from: number, to: number, idleMs: number): readonly Gain[] {
  return [{ from, to, distanceMm: 0, gapMm: 0, drivingMs: 0, idleMs }];
}
