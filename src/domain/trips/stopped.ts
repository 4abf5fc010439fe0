import { isSamePlace, toMm } from "../geometry/distance.ts";
import { type Fix, kmh, type Leg } from "../sighting.ts";
import {
  beginCourse,
  type Course,
  dwellMetres,
  extendCourse,
  isStandingLeg,
  longestSpeedLegMs,
  type Mark,
  markOf,
  settled,
} from "./course.ts";
import { type Departure, departAt, departOn } from "./departure.ts";
import { type Card, cardWith, crewFrom } from "./drivers.ts";
import { carriedDelta, deltaFrom, idleDelta, type MileageDelta, noDeltas, unseenDelta } from "./mileage-delta.ts";
import { movementAt, standMs } from "./movement.ts";
import { isGap, longestUnseenStartMs, type Pace, paceAfter, silenceMs } from "./pace.ts";
import {
  awayWith,
  isAwayForGood,
  isMovingBySpeed,
  isReportedMoving,
  isSurelyAway,
  metresFrom,
  type Stand,
  standAt,
  standPlace,
  standWith,
} from "./stand.ts";
import type { Driving, Leaving, Movement, Stopped } from "./trip-state.ts";
import { isRoadSpeed, isUnseen } from "./unseen.ts";

/** Parked positions do not drift farther: with an error of 20 m, one in 270,000 is. */
const departureMetres = 100;
/** The same for positions that report a worse accuracy. */
const departureAccuracies = 2;
/** With the ignition off, a vehicle is expected to stay: neither drift nor accuracy explains this. */
const towMetres = 300;
/** The same for a tracker that sleeps: with so few positions, none of them is that far off by chance. */
export const sleepingTowMetres = 200;

/** Reflections do not put two positions in a row so far off, unless they have done so here before. */
const farMetres = 450;
const scatters = 2.5;
/** A single stray position must not hide a tow for good. */
const mostScatterM = 600;

/** Within this distance of the stop, a vehicle has not left. */
const stopMetres = 30;

/** A vehicle that stopped, or left again, and what that adds to the mileage. */
export interface StoppedStep {
  readonly state: Stopped | Driving;
  readonly deltas: readonly MileageDelta[];
}

/** Stopped at a place. The frame is the first from which the next trip may start. */
export function stopAt(
  stand: Stand,
  fix: Fix,
  wasIgnitionOff: boolean,
  pace: Pace,
  shown: Card | null = null,
): Stopped {
  const card = cardWith(shown, fix.driverId, fix.at);
  const isIgnitionOff = isOff(wasIgnitionOff, fix);
  const { start, course } = departAt(fix);
  return { phase: "stopped", pace, stand, isIgnitionOff, card, scatterM: 0, start, course, leaving: null };
}

/** A vehicle that stood where a trip ended until it was seen again, perhaps elsewhere. */
export function stopBefore(
  leg: Leg,
  endedAt: number,
  stand: Stand,
  wasIgnitionOff: boolean,
  pace: Pace,
  card: Card | null,
): StoppedStep {
  // A frame without a position may have shown that it was there for longer.
  const from = { ...leg.from, at: Math.max(endedAt, leg.from.at) };
  const ms = leg.to.at - from.at;
  const rest: Leg = { ...leg, from, ms, impliedKmh: kmh(leg.metres, ms) };
  const stopped = stopAt(stand, from, wasIgnitionOff, pace);
  return stepStopped({ ...stopped, isIgnitionOff: wasIgnitionOff, card }, rest);
}

export function stepStopped(before: Stopped, leg: Leg): StoppedStep {
  const state = isForgotten(before, leg) ? stoppedWhereLastSeen(before, leg) : before;
  const { stand, leaving } = state;
  const fix = leg.to;
  const metres = metresFrom(stand, fix);
  const pace = paceAfter(state.pace, leg);
  const isIgnitionOff = isOff(state.isIgnitionOff, fix);
  if (metres < departureFrom(leg)) {
    const next = stay(state, leg, metres);
    const stopped: Stopped = {
      phase: "stopped",
      pace,
      stand: standWith(stand, leg),
      isIgnitionOff,
      card: cardWith(state.card, fix.driverId, fix.at),
      scatterM: leaving === null ? state.scatterM : scatterWith(state, leaving),
      start: next.start,
      course: next.course,
      leaving: null,
    };
    return { state: stopped, deltas: next.deltas };
  }
  const away = leaving === null ? firstAway(state, leg) : stillAway(state, leaving, leg);
  const isGone = isReportedMoving(leg) || isGoneFrom(state, away.leaving, leg, metres);
  if (isGone) return leave(away, leg, pace, state.card);
  const { start, course } = away;
  const { card, scatterM } = state;
  const stopped: Stopped = {
    phase: "stopped",
    pace,
    stand,
    isIgnitionOff,
    card,
    scatterM,
    start,
    course,
    leaving: away.leaving,
  };
  return { state: stopped, deltas: noDeltas };
}

/** Whether it has left, by its positions. */
function isGoneFrom(state: Stopped, leaving: Leaving, leg: Leg, metres: number): boolean {
  return isFarFrom(state, leg, metres) ? isAwayForGood(leaving, leg.to.at) : isSurelyAway(leaving, leg.to.at);
}

/** Whether it is so far from its stand that reflections do not explain it. */
export function isFarFrom({ scatterM }: Stopped, leg: Leg, metres: number): boolean {
  return !isQuiet(leg) || metres >= Math.max(farMetres, scatters * scatterM);
}

/** It was away for a frame or three, and is back. */
function scatterWith({ stand, scatterM }: Stopped, { dwell }: Leaving): number {
  return Math.min(mostScatterM, Math.max(scatterM, Math.round(metresFrom(stand, dwell.last))));
}

/** A departure that nothing confirmed before the tracker fell silent says nothing of a trip that is seen days later. */
function isForgotten({ leaving, pace }: Stopped, { ms }: Leg): boolean {
  return leaving !== null && ms > silenceMs(pace);
}

function stoppedWhereLastSeen(state: Stopped, { from }: Leg): Stopped {
  const { stand, leaving, isIgnitionOff, pace, card } = state;
  return stopAt(leaving?.stand ?? stand, from, isIgnitionOff, pace, card);
}

interface PossibleStart {
  readonly start: Mark;
  readonly course: Course;
}

/** A frame at the stop. A trip can start at the latest frame that is close to it and not in motion. */
function stay(state: Stopped, leg: Leg, metres: number): PossibleStart & { readonly deltas: readonly MileageDelta[] } {
  const { to, ms } = leg;
  const along = extendCourse(state.course, state.start, leg, state.pace);
  const hasComeOn = state.isIgnitionOff && to.ignition === true;
  const isMoving = metres > stopMetres && to.motion === "moving";
  if (isMoving && (hasComeOn || startsOn(state, leg))) {
    return { ...departOn(leg, standPlace(state.stand), state.pace), deltas: idleBefore(state, leg.from, along, leg) };
  }
  const isBack = state.leaving !== null;
  const isStanding = metres <= stopMetres && !isMovingBySpeed(to);
  const isAtStop = isStanding || isBack || ms > longestUnseenStartMs(state.pace) || hasComeOn;
  // In less time a vehicle has left, or it has come to stand again.
  const isTooLong = !isMoving && to.at - state.start.at >= standMs;
  if (!isAtStop && !isTooLong) return { start: state.start, course: along, deltas: noDeltas };
  return { start: markOf(to), course: beginCourse(to), deltas: idleBefore(state, to, along, leg) };
}

/**
 * Whether a trip seen on this leg started on it. A tracker that repeats the place where it stands changes nothing. If it
 * was in motion where the leg begins, it started there: the first frame of a tracker that wakes late.
 */
function startsOn({ start, pace }: Stopped, { from, ms }: Leg): boolean {
  if (isMovingBySpeed(from) && ms <= longestSpeedLegMs) return false;
  return isSamePlace(start, from) || ms > longestUnseenStartMs(pace);
}

/** An engine that runs at a stop counts, although there is no trip. */
function idleBefore({ start, pace }: Stopped, until: Fix, { idleMs }: Course, leg: Leg): readonly MileageDelta[] {
  const isOn = leg.from.ignition === true && leg.to.ignition === true;
  if (!isOn || !isStandingLeg(leg) || isGap(leg.ms, pace) || idleMs === 0 || until.at <= start.at) return noDeltas;
  return idleDelta(start.at, until.at, Math.min(idleMs, until.at - start.at));
}

interface AwayFrom extends PossibleStart {
  readonly leaving: Leaving;
}

/** The first frame away from the stop. */
function firstAway(state: Stopped, leg: Leg): AwayFrom {
  const { stand, pace } = state;
  const { from, to } = leg;
  const hasComeOn = state.isIgnitionOff && to.ignition === true;
  const departure: Departure =
    hasComeOn || startsOn(state, leg)
      ? departOn(leg, standPlace(stand), pace)
      : { start: state.start, course: extendCourse(state.course, state.start, leg, pace), isUnseen: false };
  const { start, isUnseen: isLost } = departure;
  const course = isLost ? departure.course : settled(departure.course, { last: start, chordMm: 0 });
  const isCarried = isUnseen(leg.ms, pace) && !isRoadSpeed(leg);
  const unseen = isLost ? { from: from.at, mm: toMm(leg.metres), isCarried } : null;
  return { start, course, leaving: { ...awayWith(null, to.at), dwell: course, stand: standAt(to), unseen } };
}

function stillAway(state: Stopped, { since, frames, dwell, stand, unseen }: Leaving, leg: Leg): AwayFrom {
  const { start, pace } = state;
  const course = extendCourse(state.course, start, leg, pace);
  const away = awayWith({ since, frames }, leg.to.at);
  return { start, course, leaving: { ...away, dwell, stand: standWith(stand, leg), unseen } };
}

/** A trip began. The vehicle may have reached where it is now some frames ago, and stand there since. */
function leave(
  { start, course: along, leaving }: AwayFrom,
  { from: before, to: fix }: Leg,
  pace: Pace,
  card: Card | null,
): StoppedStep {
  const { stand, unseen } = leaving;
  const course = { ...along, ...crewFrom(card, start.at, along) };
  const dwell = { ...leaving.dwell, ...crewFrom(card, start.at, leaving.dwell) };
  const isThere = metresFrom(stand, fix) <= dwellMetres;
  const movement: Movement = isThere
    ? { course, dwell, stand, isAtRest: true, leaving: null }
    : movementAt(settled(course, dwell), fix);
  const { ignition } = fix;
  const isTowed = ignition === false;
  const isCarried = isTowed && before.ignition !== true && fix.isWired === true;
  const driving: Driving = {
    phase: "driving",
    pace,
    start,
    foundAt: leaving.since,
    knownAt: null,
    isTowed,
    isCarried,
    ignition,
    arrived: null,
    ...movement,
  };
  const trip = isCarried ? noDeltas : deltaFrom(start, movement.dwell);
  if (unseen === null || unseen.mm === 0) return { state: driving, deltas: trip };
  const { from, mm } = unseen;
  const isMoved = isCarried || unseen.isCarried;
  const earlier = isMoved ? carriedDelta(from, start.at, mm) : [unseenDelta(from, start.at, mm)];
  return { state: driving, deltas: [...earlier, ...trip] };
}

/** How far from its stand a vehicle must be to have left. */
export function departureFrom(leg: Leg): number {
  const { from, to, ms } = leg;
  if (!isQuiet(leg)) return Math.max(departureMetres, departureAccuracies * (to.accuracyM ?? 0));
  const accuracyM = Math.max(from.accuracyM ?? 0, to.accuracyM ?? 0);
  return Math.max(ms < standMs ? towMetres : sleepingTowMetres, departureAccuracies * accuracyM);
}

/** Nothing shows that it is driven: its ignition is off, or not known and it reports to be at rest. */
function isQuiet({ from, to }: Leg): boolean {
  if (to.ignition !== null) return !to.ignition;
  return isReportedStill(from) && isReportedStill(to);
}

function isReportedStill({ speedKmh, motion }: Fix): boolean {
  return speedKmh !== null && motion === "still";
}

function isOff(wasOff: boolean, { ignition }: Fix): boolean {
  return ignition === null ? wasOff : !ignition;
}
