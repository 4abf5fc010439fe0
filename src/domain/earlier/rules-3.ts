import type { FoldSnapshot } from "../fold.ts";
import type { StagesState } from "../stages.ts";
import type { Course } from "../trips/course.ts";
import type { Movement, TripState } from "../trips/trip-state.ts";

/** What the third rules stored of a device: 1.2.0's, with a day's odometer apart from its positions. */
export interface Snapshot3 {
  readonly judge: FoldSnapshot["judge"];
  readonly stages: Omit<StagesState, "speedCheck" | "trips"> & { readonly trips: In3<TripState> };
}

/** The third rules did not bound straight lines by the speeds. */
type Course3 = Omit<Course, "mostMm">;

type In3<Value> = Value extends Course
  ? Course3
  : Value extends object
    ? { readonly [Name in keyof Value]: In3<Value[Name]> }
    : Value;

/** The order of the keys is part of the form: equal states are equal texts. */
export function fromRules3({ judge, stages }: Snapshot3): FoldSnapshot {
  const { previous, trail, live, crossings, mileage, alerts } = stages;
  const trips = tripsFrom3(stages.trips);
  return { judge, stages: { previous, trail, speedCheck: null, live, trips, crossings, mileage, alerts } };
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
  const { last, corner, settledMm, pathMm, speedMm, chordMm, trapezoidMm, longestMm, ...rest } = course;
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
    ...rest,
  };
}
