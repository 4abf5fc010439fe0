import type { AlertState } from "../domain/alerts/alerts.ts";
import type { Episode, EpisodePart, ShownPart } from "../domain/alerts/episode.ts";
import { noPairs } from "../domain/speed-check.ts";
import type { StagesState } from "../domain/stages.ts";
import type { OpenStop, StopState } from "../domain/stops/stop-state.ts";
import type { Course } from "../domain/trips/course.ts";
import type {
  Driving,
  GoingOn,
  Leaving,
  Movement,
  Stopped,
  SwitchedOff,
  TripState,
} from "../domain/trips/trip-state.ts";

/**
 * States that rules 5 made, in the form of those of rules 6. They serve only devices that wait to be derived again or have lost their
 * frames, so what rules 5 did not know is as if nothing of it had been seen. A trip keeps the id that it has: rules 5 made it
 * from its start.
 */

/** As rules 5 left it: what is new may be absent, what has another name has the old one. */
type Before<Now, Names extends keyof Now, Old = unknown> = Omit<Now, Names> & Old;

type OldCourse = Before<
  Course,
  "slackMm" | "straight" | "lowMm" | "heading" | "drove" | "cardAt",
  { readonly driverId?: string }
>;
type OldMoving<Now extends { readonly course: Course; readonly dwell: Course }> = Before<
  Now,
  "course" | "dwell",
  { readonly course: OldCourse; readonly dwell: OldCourse }
>;
type OldMovement = Before<OldMoving<Movement>, "leaving", { readonly leaving: OldMoving<GoingOn> | null }>;
type OldLeaving = Before<Leaving, "dwell" | "unseen"> & {
  readonly dwell: OldCourse;
  readonly unseen: Omit<NonNullable<Leaving["unseen"]>, "isCarried"> | null;
};
type OldStopped = Before<Stopped, "card" | "scatterM" | "course" | "leaving"> & {
  readonly course: OldCourse;
  readonly leaving: OldLeaving | null;
};
type OldDriving = Omit<Driving, "foundAt" | "isCarried" | "arrived" | keyof Movement> & OldMovement;
type OldSwitchedOff = Before<SwitchedOff, "foundAt" | "reached" | "ended" | "movement"> & {
  readonly reached: OldCourse;
  readonly ended: OldCourse;
  readonly movement: OldMovement;
};
type OldTrips = Extract<TripState, { readonly phase: "unknown" }> | OldStopped | OldDriving | OldSwitchedOff;
type OldStop = Before<OpenStop, "tripFoundAt", { readonly tripStartedAt: number }>;
type OldPart = Before<EpisodePart, "shown", { readonly shown: Omit<ShownPart, "until"> | null }>;
type OldEpisode = Before<Episode, "tripFoundAt" | "part"> & {
  readonly tripStartedAt: number | null;
  readonly part?: OldPart;
};

export interface OldStages extends Omit<StagesState, "speedCheck" | "frozen" | "trips" | "stops" | "alerts"> {
  readonly trips: OldTrips;
  readonly stops: { readonly [Name in keyof StopState]: OldStop | null };
  readonly alerts: Omit<AlertState, "episodes"> & { readonly episodes: readonly OldEpisode[] };
}

export function stagesOfRules5(old: OldStages): StagesState {
  const { previous, trail, live, trips, stops, crossings, mileage, alerts } = old;
  return {
    previous,
    trail,
    speedCheck: null,
    frozen: null,
    live,
    trips: tripsNow(trips),
    stops: { open: stopNow(stops.open), switchedOff: stopNow(stops.switchedOff) },
    crossings,
    mileage: { ...mileage, days: mileage.days.map((day) => ({ ...day, carriedMm: 0 })) },
    alerts: { ...alerts, episodes: alerts.episodes.map(episodeNow) },
  };
}

function tripsNow(trips: OldTrips): TripState {
  switch (trips.phase) {
    case "unknown":
      return trips;
    case "stopped": {
      const { course, leaving, ...rest } = trips;
      return { ...rest, card: null, scatterM: 0, course: courseNow(course), leaving: leaving && leavingNow(leaving) };
    }
    case "driving":
      return { ...trips, ...movementNow(trips), foundAt: trips.start.at, isCarried: false, arrived: null };
    case "switched_off": {
      const { reached, ended, movement, ...rest } = trips;
      const courses = { reached: courseNow(reached), ended: courseNow(ended) };
      return { ...rest, ...courses, foundAt: trips.start.at, movement: movementNow(movement) };
    }
  }
}

function leavingNow({ dwell, unseen, ...rest }: OldLeaving): Leaving {
  return { ...rest, dwell: courseNow(dwell), unseen: unseen && { ...unseen, isCarried: false } };
}

function movementNow({ course, dwell, stand, isAtRest, leaving }: OldMovement): Movement {
  const along = leaving && { ...leaving, course: courseNow(leaving.course), dwell: courseNow(leaving.dwell) };
  return { course: courseNow(course), dwell: courseNow(dwell), stand, isAtRest, leaving: along };
}

function courseNow({ driverId, ...course }: OldCourse): Course {
  const { at } = course.last;
  return {
    ...course,
    slackMm: 0,
    straight: noPairs,
    lowMm: 0,
    heading: null,
    ...(driverId === undefined ? {} : { drove: [{ driverId, from: at }], cardAt: at }),
  };
}

function stopNow(stop: OldStop | null): OpenStop | null {
  if (stop === null) return null;
  const { tripStartedAt, ...rest } = stop;
  return { ...rest, tripFoundAt: tripStartedAt };
}

function episodeNow({ tripStartedAt, part, ...episode }: OldEpisode): Episode {
  const now = { ...episode, tripFoundAt: tripStartedAt };
  return part === undefined ? now : { ...now, part: partNow(part) };
}

function partNow({ shown, ...part }: OldPart): EpisodePart {
  return { ...part, shown: shown === null ? [] : [{ ...shown, until: null }] };
}
