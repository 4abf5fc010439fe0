import type { Fact, MileageFact, TripFact } from "../../../src/domain/facts.ts";
import type { Frame } from "../../../src/domain/frame.ts";
import { earthRadiusMetres } from "../../../src/domain/geometry/bounding-box.ts";
import { initialMileage, type MileageState, openDays, stepMileage } from "../../../src/domain/mileage/mileage.ts";
import { noTrail, type Trail } from "../../../src/domain/motion.ts";
import { type Fix, nextPrevious, nextTrail, type Sighting, sight } from "../../../src/domain/sighting.ts";
import type { SpeedCheck } from "../../../src/domain/speed-check.ts";
import { utc, type Zone } from "../../../src/domain/time/time-zone.ts";
import type { MileageDelta } from "../../../src/domain/trips/mileage-delta.ts";
import {
  countedUntil,
  earliestStart,
  initialTrips,
  openDeltas,
  openTrip,
  stepTrips,
  type TripState,
} from "../../../src/domain/trips/trips.ts";
import { accepted, acceptedDiscontinuity, type JudgedFrame, type Verdict } from "../../../src/domain/verdict.ts";
import { frameWith } from "./quality-frames.ts";

/** A frame of a drive: when and where along a meridian, and what it says; without metres it has no position. */
export interface Moment {
  readonly second: number;
  readonly metres: number | null;
  readonly kmh?: number | null;
  readonly on?: boolean | null;
  readonly odometerKm?: number | null;
  readonly accuracyM?: number | null;
  readonly receivedAt?: number;
  readonly isElsewhere?: boolean;
}

/** Two hours before midnight, at the equator. */
export const evening = Date.UTC(2026, 5, 1, 22);
export const midnightSecond = 7200;

const metresPerDegree = (earthRadiusMetres * Math.PI) / 180;
const noFix: Verdict = { valid: false, rejectReason: "no_fix", discontinuity: false };

/** North is positive, since the distance between two latitudes is exact to the micrometre. */
export function judged(moment: Moment, digest = 0, longitude = 10): JudgedFrame {
  const { second, metres, kmh = null, on = null } = moment;
  const recordedAt = evening + second * 1000;
  const frame: Frame = frameWith({
    recordedAt,
    digest,
    receivedAt: moment.receivedAt ?? recordedAt,
    latitude: metres === null ? null : metres / metresPerDegree,
    longitude: metres === null ? null : longitude,
    speed_kmh: kmh,
    ignition: on,
    odometer_km: moment.odometerKm ?? null,
    accuracy_m: moment.accuracyM ?? null,
    fix: metres !== null,
  });
  const verdict = metres === null ? noFix : moment.isElsewhere ? acceptedDiscontinuity : accepted;
  return { frame, verdict, speedKmh: kmh };
}

/** Everything the two stages know after some frames. */
export interface FollowState {
  readonly previous: Fix | null;
  readonly trail: Trail;
  readonly speedCheck: SpeedCheck | null;
  readonly trips: TripState;
  readonly mileage: MileageState;
}

const initialFollow: FollowState = {
  previous: null,
  trail: noTrail,
  speedCheck: null,
  trips: initialTrips,
  mileage: initialMileage,
};

function stepBoth(known: FollowState, frame: JudgedFrame, facts: Fact[], zone: Zone) {
  const sighting = sight(frame, known.previous, known.trail, known.speedCheck);
  const trips = stepTrips(known.trips, sighting);
  const { facts: ended, deltas } = trips;
  const soFar = {
    ended,
    deltas,
    earliestStart: earliestStart(trips.state),
    isUnderWay: trips.state.phase === "driving",
    countedUntil: countedUntil(trips.state),
  };
  const mileage = stepMileage(known.mileage, sighting, soFar, zone);
  facts.push(...trips.facts, ...mileage.facts);
  const previous = nextPrevious(sighting);
  return {
    known: {
      previous,
      trail: nextTrail(known.trail, sighting),
      speedCheck: sighting.speedCheck,
      trips: trips.state,
      mileage: mileage.state,
    },
    sighting,
    deltas,
  };
}

export interface Outcome {
  readonly known: FollowState;
  readonly facts: readonly Fact[];
  /** Final ones. */
  readonly trips: readonly TripFact[];
  readonly open: TripFact | null;
  /** Final ones, then open ones. */
  readonly days: readonly MileageFact[];
  readonly sightings: readonly Sighting[];
  /** All that the trips added to the mileage, those of a trip that may be over last. */
  readonly deltas: readonly MileageDelta[];
}

/**
 * Takes frames through trips and mileage; `between` may replace what is known after each frame. `zoneAt` is the zone that the
 * account has when the frame with that index comes.
 */
export function follow(
  frames: readonly JudgedFrame[],
  between = (known: FollowState) => known,
  zoneAt = (_index: number): Zone => utc,
): Outcome {
  const facts: Fact[] = [];
  const sightings: Sighting[] = [];
  const deltas: MileageDelta[] = [];
  let known = initialFollow;
  for (const [index, frame] of frames.entries()) {
    const step = stepBoth(known, frame, facts, zoneAt(index));
    known = between(step.known);
    sightings.push(step.sighting);
    deltas.push(...step.deltas);
  }
  const open = openTrip(known.trips);
  return {
    known,
    facts,
    trips: facts.filter((fact) => fact.kind === "trip"),
    open,
    days: [...facts.filter((fact) => fact.kind === "day"), ...openDaysOf(known, zoneAt(frames.length))],
    sightings,
    deltas: [...deltas, ...openDeltas(known.trips)],
  };
}

export function openDaysOf({ trips, mileage }: FollowState, zone = utc): readonly MileageFact[] {
  return openDays(mileage, openTrip(trips), openDeltas(trips), zone);
}

export function drive(moments: readonly Moment[], zone = utc): Outcome {
  const frames = moments.map((moment, index) => judged(moment, index));
  return follow(frames, undefined, () => zone);
}

/** Frames at a steady pace: from a second and a place on, every so often, until a second. */
export function going(
  from: number,
  to: number,
  everySeconds: number,
  startMetres: number,
  kmh: number,
  on: boolean | null = true,
): Moment[] {
  const moments: Moment[] = [];
  for (let second = from; second <= to; second += everySeconds) {
    moments.push({ second, metres: startMetres + ((second - from) * kmh) / 3.6, kmh, on });
  }
  return moments;
}

/** Seconds after the evening. */
export function secondOf(at: number | null | undefined): number | null {
  return at === null || at === undefined ? null : (at - evening) / 1000;
}
