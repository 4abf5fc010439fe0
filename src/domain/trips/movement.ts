import type { Place } from "../geometry/distance.ts";
import type { Fix, Leg } from "../sighting.ts";
import { type Course, dwellMetres, extendCourse, released, rested, settled } from "./course.ts";
import type { Pace } from "./pace.ts";
import { awayWith, isAwayForGood, isMoving, metresFrom, type Stand, standAt, standWith } from "./stand.ts";
import type { GoingOn, Movement } from "./trip-state.ts";

/** A vehicle that stays within `dwellMetres` for this long stands. */
export const standMs = 180_000;

/** Errors of 20 m at both ends explain a leg this long once in 500 times. */
const clearMetres = 100;

/** A movement that begins with a place just reached. */
export function movementAt(course: Course, fix: Fix): Movement {
  return { course, dwell: course, stand: standAt(fix), isAtRest: isAtRest(fix), leaving: null };
}

function isAtRest({ motion, speedKmh }: Fix): boolean {
  return motion === "still" && speedKmh !== null;
}

/** One more leg of a trip. */
export function move(movement: Movement, start: Place, leg: Leg, pace: Pace): Movement {
  const { course, dwell, stand, leaving } = movement;
  const fix = leg.to;
  if (metresFrom(stand, fix) <= dwellMetres) {
    const along = extendCourse(course, start, leg, pace);
    // It drove up to its stop: the first frame at rest is where it came to stand.
    if (!movement.isAtRest && isAtRest(fix) && !hasStood(movement)) return movementAt(settled(along, dwell), fix);
    return { course: along, dwell, stand: standWith(stand, leg), isAtRest: movement.isAtRest, leaving: null };
  }
  const before = leaving?.course ?? (hasStood(movement) ? rested(course, dwell) : course);
  const along = extendCourse(before, start, leg, pace);
  if (leg.metres >= clearMetres || isMoving(leg)) {
    return movementAt(settled(along, leaving?.dwell ?? dwell), fix);
  }
  const next = leaving === null ? beginGoingOn(along, dwell, fix) : goOn(leaving, along, leg);
  if (isAwayForGood(next, fix.at)) {
    return { course: next.course, dwell: next.dwell, stand: next.stand, isAtRest: next.isAtRest, leaving: null };
  }
  const asBefore = extendCourse(course, start, leg, pace);
  return { course: asBefore, dwell, stand, isAtRest: movement.isAtRest, leaving: next };
}

/** The course as it is if the trip ends with its last frame. */
export function finished(movement: Movement): Course {
  const { course, dwell } = movement.leaving ?? movement;
  if (movement.leaving === null && hasStood(movement)) return released(rested(course, dwell));
  return released(settled(course, dwell));
}

/**
 * The course as it is if the trip ends where the tracker fell silent. A vehicle that came to rest there, or is still there
 * after the silence, arrived with the first frame there.
 */
export function finishedBefore(silence: { readonly isStillThere: boolean }, movement: Movement): Course {
  const { dwell, leaving, isAtRest: hasComeToRest } = movement;
  const isRest = leaving === null && (silence.isStillThere || hasComeToRest);
  return isRest ? released(dwell) : finished(movement);
}

/** Where the vehicle stands if the trip ends with its last frame. */
export function lastStand({ leaving, stand }: Movement): Stand {
  return leaving?.stand ?? stand;
}

function hasStood({ course, dwell }: Movement): boolean {
  return course.last.at - dwell.last.at >= standMs;
}

function beginGoingOn(along: Course, dwell: Course, fix: Fix): GoingOn {
  const reached = settled(along, dwell);
  return {
    ...awayWith(null, fix.at),
    course: reached,
    dwell: reached,
    stand: standAt(fix),
    isAtRest: isAtRest(fix),
  };
}

function goOn(before: GoingOn, along: Course, leg: Leg): GoingOn {
  const { since, frames, dwell, stand } = before;
  const away = awayWith({ since, frames }, leg.to.at);
  return { ...away, course: along, dwell, stand: standWith(stand, leg), isAtRest: before.isAtRest };
}
