import type { Episode } from "../alerts/episode.ts";
import type { CrossingState } from "../crossings/crossings.ts";
import type { EventType, FenceRecord, Left } from "../crossings/fence-record.ts";
import type { LevelChange, Tank, TankReading } from "../fuel/tank.ts";
import type { Driving, SwitchedOff, TripState } from "../trips/trip-state.ts";
import { openTripStart } from "../trips/trips.ts";
import type { Alerts3, Snapshot3 } from "./rules-3.ts";

/**
 * A stored state in the present form. Before form 4 of `fold_states` a state did not know when the frames of a trip, a
 * crossing or an alert were received: the latest that is known of them stands in, or 0 if nothing is. The frames to come
 * are received later. A state that has these times stays as it is.
 */
export function withTimesOfReceipt<Stages extends Snapshot3["stages"]>(stages: Stages): Stages {
  return {
    ...stages,
    trips: tripsWithTimes(stages.trips),
    crossings: crossingsFromEarlierRules(stages.crossings),
    alerts: alertsWithTimes(stages.alerts),
  };
}

function tripsWithTimes(state: TripState): TripState {
  if ((state.phase !== "driving" && state.phase !== "switched_off") || state.knownAt !== undefined) return state;
  // Here and below, the order of the keys is part of the form: equal states are equal texts.
  if (state.phase === "switched_off") {
    const { phase, pace, start, knownAt: _, ...rest } = state;
    return knownByNow({ phase, pace, start, knownAt: null, ...rest });
  }
  const { phase, pace, start, knownAt: _, ...rest } = state;
  return knownByNow({ phase, pace, start, knownAt: null, ...rest });
}

/** A trip of which nobody knows when it was known was so at its last frame, if it is worth reporting. */
export function knownByNow(state: Driving | SwitchedOff): TripState {
  const { updatedAt } = state.phase === "driving" ? state.course : state.ended;
  return openTripStart(state) === null ? state : { ...state, knownAt: updatedAt };
}

function alertsWithTimes<Alerts extends Alerts3>(alerts: Alerts): Alerts {
  const { episodes, tanks } = alerts;
  return { ...alerts, episodes: episodes.map(episodeWithTimes), tanks: tanks.map(tankWithTimes) };
}

function episodeWithTimes(episode: Episode): Episode {
  if (episode.updatedAt !== undefined) return episode;
  const { latitude, longitude, speedKmh, tripStartedAt, updatedAt: _, ...before } = episode;
  return { ...before, updatedAt: episode.receivedAt, latitude, longitude, speedKmh, tripStartedAt };
}

function tankWithTimes(tank: Tank): Tank {
  return {
    ...tank,
    readings: tank.readings.map(readingWithTimes),
    change: tank.change && changeWithTimes(tank.change),
  };
}

function readingWithTimes(reading: TankReading): TankReading {
  if (reading.receivedAt !== undefined) return reading;
  const { at, receivedAt: _, ...rest } = reading;
  return { at, receivedAt: 0, ...rest };
}

function changeWithTimes(change: LevelChange): LevelChange {
  return change.updatedAt === undefined ? { ...change, updatedAt: 0 } : change;
}

/** As stored before: 1.0.0 knew no `left`, and none before form 4 of `fold_states` knew when frames were received. */
interface EarlierRecord extends Omit<FenceRecord, "lastReported" | "left" | "entryKnownAt"> {
  readonly told?: EventType | null;
  readonly lastReported?: EventType | null;
  readonly entryKnownAt?: FenceRecord["entryKnownAt"];
  readonly left?: FenceRecord["left"];
}

/** A stored state of earlier rules in the present form. A state in the present form stays as it is. */
export function crossingsFromEarlierRules(state: CrossingState): CrossingState {
  return { records: state.records.map(presentRecord), stop: state.stop };
}

function presentRecord(earlier: EarlierRecord): FenceRecord {
  const { fenceId, isInside, enteredAt, told, lastReported = told ?? null } = earlier;
  const { entryKnownAt = null, strayed, candidate, left = null } = earlier;
  // The order of the keys is part of the form: equal states are equal texts.
  return {
    fenceId,
    isInside,
    enteredAt,
    entryKnownAt,
    lastReported,
    strayed: strayed && withReceipt(strayed),
    candidate: candidate && withReceipt(candidate),
    left: left && leftWithReceipt(left),
  };
}

/** Of what nobody knows when it was received, the frames to come decide. */
function withReceipt<Moment extends { readonly receivedAt: number }>(moment: Moment): Moment {
  return moment.receivedAt === undefined ? { ...moment, receivedAt: 0 } : moment;
}

function leftWithReceipt(left: Left): Left {
  if (left.receivedAt !== undefined) return left;
  const { speedKmh, accuracyM, receivedAt: _, ...edge } = left;
  return { ...edge, receivedAt: 0, speedKmh, accuracyM };
}
