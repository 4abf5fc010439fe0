import { metresBetween, type Place } from "../geometry/distance.ts";
import type { Fix, Leg } from "../sighting.ts";
import { beginCourse, type Course, extendCourse, gapMs, type Mark, markOf } from "./course.ts";
import type { Driving, Resting, Stopped } from "./trip-state.ts";

/** Parked positions do not drift farther. */
const departureMetres = 100;
/** The same for positions that report a worse accuracy. */
const departureAccuracies = 2;
/**
 * With the ignition off, a vehicle is expected to stay: it has left only if neither drift nor accuracy explains the
 * distance.
 */
const towMetres = 300;
/** For the second of two consecutive moving frames without a gap. */
const movingMetres = 30;

/** Within this distance of the stop, a vehicle has not left. */
const stopMetres = 30;

/**
 * The first position after a drive is often tens of metres off. If the vehicle then stands this long within
 * `stopMetres` of another place, that place is the stop. Otherwise the next trip would start with the last frame near
 * the wrong place, hours early.
 */
const restingMs = 180_000;

/** Stopped at a place. The frame is the first from which the next trip may start. */
export function stopAt({ latitude, longitude }: Place, fix: Fix, wasIgnitionOff: boolean): Stopped {
  const place: Place = { latitude, longitude };
  return {
    phase: "stopped",
    stop: place,
    arrival: place,
    resting: null,
    isIgnitionOff: isOff(wasIgnitionOff, fix),
    start: markOf(fix),
    course: beginCourse(fix),
  };
}

/** The state of a vehicle that stood at a place until it was seen again, perhaps elsewhere. */
export function stopOrLeave(place: Place, leg: Leg, wasIgnitionOff: boolean): Stopped | Driving {
  const stopped = stopAt(place, leg.to, wasIgnitionOff);
  return hasLeft(metresBetween(place, leg.to), leg) ? leave(stopped.start, stopped.course, leg.to) : stopped;
}

export function stepStopped(state: Stopped, leg: Leg): Stopped | Driving {
  const fix = leg.to;
  const metres = metresBetween(state.stop, fix);
  // A trip starts neither before the ignition came on nor before a gap.
  const isAnew = leg.ms > gapMs || (state.isIgnitionOff && fix.ignition === true);
  const start = isAnew ? markOf(fix) : state.start;
  const course = isAnew ? beginCourse(fix) : extendCourse(state.course, state.start, leg);
  if (hasLeft(metres, leg)) return leave(start, course, fix);

  const isIgnitionOff = isOff(state.isIgnitionOff, fix);
  const { arrival } = state;
  const isAtStop = metres <= stopMetres;
  const resting = isAtStop ? null : restingAt(state, fix);
  const isPutRight = resting !== null && fix.at - resting.at >= restingMs;
  if (!isAtStop && !isPutRight) {
    return { phase: "stopped", stop: state.stop, arrival, resting, isIgnitionOff, start, course };
  }
  const stop: Place = isPutRight ? { latitude: resting.latitude, longitude: resting.longitude } : state.stop;
  const latest = markOf(fix);
  return { phase: "stopped", stop, arrival, resting: null, isIgnitionOff, start: latest, course: beginCourse(fix) };
}

function hasLeft(metres: number, { from, to, ms }: Leg): boolean {
  const uncertainMetres = departureAccuracies * (to.accuracyM ?? 0);
  if (to.ignition === false) return metres >= Math.max(towMetres, uncertainMetres);
  if (metres >= Math.max(departureMetres, uncertainMetres)) return true;
  return metres >= movingMetres && ms <= gapMs && from.motion === "moving" && to.motion === "moving";
}

function leave(start: Mark, course: Course, { ignition }: Fix): Driving {
  return { phase: "driving", start, isTowed: ignition === false, ignition, course, dwell: course };
}

/** Where it rests near its stop, if it does; never as far from its arrival as a departure. */
function restingAt({ resting, arrival }: Stopped, fix: Fix): Resting | null {
  if (fix.motion === "moving") return null;
  if (resting !== null && metresBetween(resting, fix) <= stopMetres) return resting;
  if (metresBetween(arrival, fix) >= departureMetres) return null;
  return { latitude: fix.latitude, longitude: fix.longitude, at: fix.at };
}

function isOff(wasOff: boolean, { ignition }: Fix): boolean {
  return ignition === null ? wasOff : !ignition;
}
