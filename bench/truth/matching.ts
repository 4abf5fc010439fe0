import type { TripFact } from "../../src/domain/facts.ts";
import type { TrueDrive } from "./drives.ts";

/** How far a trip may begin and end off the truth, in ms. */
export interface Tolerance {
  readonly startMs: number;
  readonly endMs: number;
}

/** A minute and one step at the start; at the end three minutes, which a stand lasts. */
export function toleranceFor(stepMs: number): Tolerance {
  return { startMs: 60_000 + stepMs, endMs: 180_000 };
}

export interface Match {
  /** One trip, from the start to the end. */
  readonly isOne: boolean;
  /** The same, or several trips cut only where it really stood for three minutes and more. */
  readonly isCovered: boolean;
  readonly trips: number;
  readonly startErrorMs: number | null;
  readonly endErrorMs: number | null;
}

export function matchOf(drive: TrueDrive, trips: readonly TripFact[], { startMs, endMs }: Tolerance): Match {
  const endOf = ({ endedAt, startedAt, durationMs }: TripFact) => endedAt ?? startedAt + durationMs;
  const own = trips.filter((trip) => trip.startedAt < drive.movedUntil && endOf(trip) > drive.movedFrom);
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) {
    return { isOne: false, isCovered: false, trips: 0, startErrorMs: null, endErrorMs: null };
  }
  const [onAt, offAt] = [drive.track[0]?.at ?? drive.movedFrom, drive.track.at(-1)?.at ?? drive.movedUntil];
  const startErrorMs = beyond(first.startedAt, onAt, drive.movedFrom);
  const endErrorMs = beyond(endOf(last), drive.movedUntil, offAt);
  const isInTime = Math.abs(startErrorMs) <= startMs && Math.abs(endErrorMs) <= endMs;
  const cuts = own.slice(1).map((trip, index) => ({ from: endOf(own[index] as TripFact), until: trip.startedAt }));
  const isCovered = isInTime && cuts.every(({ from, until }) => stoodBetween(drive, from - 60_000, until + 60_000));
  return { isOne: isInTime && own.length === 1, isCovered, trips: own.length, startErrorMs, endErrorMs };
}

/** How far a moment is outside a span; 0 within it. */
function beyond(at: number, from: number, until: number): number {
  return at < from ? at - from : Math.max(0, at - until);
}

const standMs = 175_000;
const standMetres = 50;

/** Whether the vehicle stood for three minutes, or nearly so, within a span. */
function stoodBetween({ track }: TrueDrive, from: number, until: number): boolean {
  const own = track.filter(({ at }) => at >= from && at <= until);
  let first = 0;
  for (const { at, metres } of own) {
    while (metres - (own[first]?.metres ?? metres) > standMetres) first++;
    if (at - (own[first]?.at ?? at) >= standMs) return true;
  }
  return false;
}
