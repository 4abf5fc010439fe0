import type { AlertState } from "../alerts/alerts.ts";
import { noSamples } from "../alerts/speed-evidence.ts";
import type { FoldSnapshot } from "../fold.ts";
import { notAwake } from "../fuel/awake.ts";
import type { AwakeState, Tank } from "../fuel/tank.ts";
import type { DayTally } from "../mileage/day-tally.ts";
import type { MileageState } from "../mileage/mileage.ts";
import type { StagesState } from "../stages.ts";
import type { Course } from "../trips/course.ts";
import type { Movement, TripState } from "../trips/trip-state.ts";
import type { Snapshot4 } from "./rules-4.ts";

/** What the third rules stored of a device. */
export interface Snapshot3 {
  readonly judge: Omit<FoldSnapshot["judge"], "rival"> & { readonly rival: unknown };
  readonly stages: Omit<StagesState, "speedCheck" | "trips" | "stops" | "mileage" | "alerts"> & {
    readonly trips: In3<TripState>;
    readonly mileage: Mileage3;
    readonly alerts: Alerts3;
  };
}

export interface Mileage3 {
  readonly reading: MileageState["reading"];
  readonly days: readonly DayTally3[];
}

export type DayTally3 = Omit<DayTally, "doubtMm">;

export type Alerts3 = Omit<AlertState, "parked" | "hasSupply" | "tanks" | "speeds"> & {
  readonly tanks: readonly Omit<Tank, keyof AwakeState>[];
};

/** These rules let the odometer differ by a quarter. */
const doubtShare = 0.25;

/** The third rules did not bound straight lines by the speeds, and believed every wavering position. */
type Course3 = Omit<Course, "mostMm" | "roaming">;

type In3<Value> = Value extends Course
  ? Course3
  : Value extends object
    ? { readonly [Name in keyof Value]: In3<Value[Name]> }
    : Value;

/** The order of the keys is part of the form: equal states are equal texts. */
export function fromRules3({ judge, stages }: Snapshot3): Snapshot4 {
  const { previous, trail, live, crossings } = stages;
  const trips = tripsFrom3(stages.trips);
  const mileage = mileageFrom3(stages.mileage);
  const alerts = alertsFrom3(stages.alerts);
  return {
    // What these rules knew of a second place was less than a second tracker.
    judge: { ...judge, rival: null },
    stages: { previous, trail, speedCheck: null, live, trips, crossings, mileage, alerts },
  };
}

function tripsFrom3(state: In3<TripState>): TripState {
  switch (state.phase) {
    case "unknown":
      return state;
    case "stopped": {
      const { course, leaving } = state;
      return {
        ...state,
        course: courseFrom3(course),
        leaving: leaving && { ...leaving, dwell: courseFrom3(leaving.dwell) },
      };
    }
    case "driving":
      return { ...state, ...movementFrom3(state) };
    case "switched_off": {
      const { reached, ended, movement } = state;
      return {
        ...state,
        reached: courseFrom3(reached),
        ended: courseFrom3(ended),
        movement: { ...movement, ...movementFrom3(movement) },
      };
    }
  }
}

function movementFrom3({ course, dwell, leaving }: In3<Movement>): Pick<Movement, "course" | "dwell" | "leaving"> {
  return {
    course: courseFrom3(course),
    dwell: courseFrom3(dwell),
    leaving: leaving && { ...leaving, course: courseFrom3(leaving.course), dwell: courseFrom3(leaving.dwell) },
  };
}

/** Straight lines counted in full so far. */
function courseFrom3(course: Course3): Course {
  const { last, corner, settledMm, pathMm, speedMm, chordMm, trapezoidMm, longestMm, gapMm, ...rest } = course;
  return {
    last,
    corner,
    settledMm,
    pathMm,
    speedMm,
    chordMm,
    trapezoidMm,
    longestMm,
    mostMm: chordMm,
    gapMm,
    roaming: null,
    ...rest,
  };
}

function mileageFrom3({ reading, days }: Mileage3): MileageState {
  return { reading, fits: null, days: days.map(dayFrom3) };
}

function dayFrom3(day: DayTally3): DayTally {
  return { ...day, doubtMm: Math.round(doubtShare * day.gpsMm) };
}

/** A parked vehicle is known as such from its next frame on. A voltage is taken for real, as it was by these rules. */
function alertsFrom3({ episodes, towedTrip, tanks }: Alerts3): AlertState {
  const asleep = tanks.map((tank) => ({ ...tank, ...notAwake }));
  return { episodes, towedTrip, parked: null, hasSupply: true, tanks: asleep, speeds: noSamples };
}
