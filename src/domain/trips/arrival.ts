import { type Course, released } from "./course.ts";
import { standMs } from "./movement.ts";
import type { Arrived, Driving, Movement } from "./trip-state.ts";

/** With the engine running, a trip continues through a jam or a delivery this long. */
export const dwellMs = 900_000;

/** Where the vehicle may have arrived, after one more leg. */
export function arrivedAfter({ arrived, dwell }: Driving, { course }: Movement, isIgnitionOn: boolean): Arrived | null {
  const { roaming } = course;
  if (roaming === null || roaming.doubt === 0) return null;
  const before = arrived ?? { course: dwell, isOver: false };
  if (before.isOver || !roaming.isWavering) return before;
  const isOver = course.last.at - before.course.last.at >= (isIgnitionOn ? dwellMs : standMs);
  // This frame showed it.
  return isOver ? { course: { ...before.course, updatedAt: course.updatedAt }, isOver } : before;
}

/** The course of a trip that ends: where it arrived, if its positions have wavered since; else as it is otherwise. */
export function arrivedOr({ arrived, course }: Driving, otherwise: Course): Course {
  return arrived !== null && course.roaming?.isWavering ? released(arrived.course) : otherwise;
}
