import { metresBetween, type Place, toMm } from "../geometry/distance.ts";
import type { Offset } from "../geometry/offset.ts";
import type { Fix, Leg } from "../sighting.ts";
import {
  isCrawl,
  longestSampledLegMs,
  noPairs,
  type Pairs,
  roundedMm,
  scaleOf,
  speedMmBetween,
  sumOf,
} from "../speed-check.ts";
import { type Crew, crewWith } from "./drivers.ts";
import { isGap, type Pace } from "./pace.ts";
import { counted, heldIn, type Roaming, roamedTo, roamingFrom } from "./roaming.ts";
import { isUnseen, unseenMm } from "./unseen.ts";
import { windingOf } from "./winding.ts";

/** A moment and a place: the beginning or the end of a trip. */
export interface Mark extends Place {
  readonly at: number;
  readonly odometerKm: number | null;
}

/** What adds up from the start of a trip, or of a possible trip, to its last frame. Distances are exact sums of integers. */
export interface Course extends Crew {
  readonly last: Mark;
  /** Up to where the way along the positions is measured. */
  readonly corner: Place;
  /** Where the last leg led that was long enough to show a direction; null if speeds show none. */
  readonly heading: Offset | null;
  /** The distance up to where the vehicle last stood, except for what is in `chordMm`. */
  readonly settledMm: number;
  /** Since then, along the positions and by the speeds. Where neither shows the way, the second is the straight line. */
  readonly pathMm: number;
  readonly speedMm: number;
  /** Legs of a tracker that reports seldom but with its speed: straight from position to position, and by the speeds. */
  readonly chordMm: number;
  readonly trapezoidMm: number;
  /** The longest that these legs can have been. */
  readonly longestMm: number;
  /** The longest that the straight lines may count for: positions that err make them too long, too. */
  readonly mostMm: number;
  /** By how much longer stretches of it, straight, would have to be to raise that: 0 or less. */
  readonly slackMm: number;
  /** Pairs of legs on its straight ways, and what the speeds are too low by, over all of it: see `scaleOf`. */
  readonly straight: Pairs;
  readonly lowMm: number;
  /** The part of the distance that comes from gaps. */
  readonly gapMm: number;
  /** Whether the positions may be wavering; null once a speed is reported, which shows it better. */
  readonly roaming: Roaming | null;
  readonly drivingMs: number;
  readonly idleMs: number;
  readonly positionCount: number;
  readonly maxSpeedKmh: number | null;
  /** The same by the places, where no speed is reported. */
  readonly maxImpliedKmh: number | null;
  /** It was once far enough from its start to be more than drift. */
  readonly isAway: boolean;
  readonly hasGap: boolean;
  readonly updatedAt: number;
}

/** While nothing leads farther than this, the vehicle stands: a position of it may be that far off. */
export const dwellMetres = 50;

/** A trip that was never this far from its start is drift, or a move to another parking space. */
export const awayMetres = 100;

/** On legs in between, the mean of both speeds shows more than the straight line; over two minutes it shows too little. */
const shortestSpeedLegMs = 4_000;
export const longestSpeedLegMs = 125_000;
/** A vehicle that stands at both ends of such a leg has hardly moved between them. */
const longestStandingLegMs = 30_000;
/** In a queue it may stand whenever it reports, and yet come on. Reflections do not put a vehicle that stands so far off. */
const surelyCreptMm = 250_000;
/** Less may be the drift of its positions at a stand. */
const leastCreptMm = 50_000;

/** Without a speed, shorter steps may be the error of the positions. */
const cornerMetres = 20;
/** Not where there are so few steps that errors do not add up: a slow vehicle turns round within less. */
const slowStepMetres = 12;
const slowStepMs = 8_000;

export function markOf({ at, latitude, longitude, odometerKm }: Mark): Mark {
  return { at, latitude, longitude, odometerKm };
}

export function beginCourse(fix: Fix): Course {
  return {
    last: markOf(fix),
    corner: placeIn(fix),
    heading: null,
    settledMm: 0,
    pathMm: 0,
    speedMm: 0,
    chordMm: 0,
    trapezoidMm: 0,
    longestMm: 0,
    mostMm: 0,
    slackMm: 0,
    straight: noPairs,
    lowMm: 0,
    gapMm: 0,
    roaming: fix.speedKmh === null ? roamingFrom(fix) : null,
    drivingMs: 0,
    idleMs: 0,
    positionCount: 1,
    maxSpeedKmh: fix.speedKmh,
    maxImpliedKmh: null,
    isAway: false,
    hasGap: false,
    updatedAt: fix.receivedAt,
    ...crewWith({}, fix.driverId, fix.at),
  };
}

/** The distance up to where the vehicle last stood. It never falls as the course goes on. */
export function distanceMm({ settledMm, chordMm, mostMm, trapezoidMm, longestMm, lowMm }: Course): number {
  return settledMm + Math.max(Math.min(chordMm, mostMm + lowMm), Math.min(trapezoidMm + lowMm, longestMm));
}

/** One more leg. Whether it counts is known when the vehicle leaves the place where it last stood: see `settled`. */
export function extendCourse(course: Course, start: Place, leg: Leg, pace: Pace): Course {
  const { to, ms, byPlaces } = leg;
  const { speedKmh } = to;
  const more = measure(leg, course.corner, course.heading, pace);
  const chordMm = course.chordMm + more.chordMm;
  // Speeds that turn out to be too low have been so from the start.
  const trustedMm = course.mostMm + more.mostMm;
  const mostMm = leg.areSpeedsTrusted ? trustedMm : Math.max(trustedMm, chordMm);
  const slackMm = leg.areSpeedsTrusted ? course.slackMm + leg.excessMm : 0;
  const trapezoidMm = course.trapezoidMm + more.trapezoidMm;
  const straight = leg.straightPair === null ? course.straight : sumOf(course.straight, leg.straightPair);
  const lowMm = lowMmOf(course.lowMm, scaleOf(straight), trapezoidMm);
  const crew = to.driverId === undefined ? course : crewWith(course, to.driverId, to.at);
  const isLost = isGap(ms, pace);
  const isIdle = !isLost && isStandingLeg(leg) && leg.from.ignition !== false && to.ignition !== false;
  return {
    last: markOf(to),
    corner: more.isCorner ? placeIn(to) : course.corner,
    heading: more.heading ?? course.heading,
    // A speed shows that it drives: what was held back counts.
    settledMm: course.settledMm + (speedKmh === null || course.roaming === null ? 0 : heldIn(course.roaming)),
    pathMm: course.pathMm + more.pathMm,
    speedMm: course.speedMm + more.speedMm,
    chordMm,
    trapezoidMm,
    longestMm: course.longestMm + more.longestMm,
    // No way is shorter than straight lines between places that are far from each other.
    mostMm: mostMm + Math.max(0, slackMm),
    slackMm: Math.min(0, slackMm),
    straight,
    lowMm,
    gapMm: course.gapMm + more.gapMm,
    roaming: speedKmh === null ? roamedWith(course.roaming, leg, more.isCorner) : null,
    drivingMs: course.drivingMs + (isIdle || isLost ? 0 : ms),
    idleMs: course.idleMs + (isIdle ? ms : 0),
    positionCount: course.positionCount + 1,
    maxSpeedKmh: speedKmh === null ? course.maxSpeedKmh : Math.max(course.maxSpeedKmh ?? 0, speedKmh),
    maxImpliedKmh: byPlaces === null ? course.maxImpliedKmh : Math.max(course.maxImpliedKmh ?? 0, byPlaces.peakKmh),
    isAway: course.isAway || metresBetween(start, to) >= awayMetres,
    hasGap: course.hasGap || isLost,
    updatedAt: Math.max(course.updatedAt, to.receivedAt),
    drove: crew.drove,
    cardAt: crew.cardAt,
  };
}

/** Speeds that turn out to be too low have been so from the start. It never falls: nor does the distance. */
function lowMmOf(before: number, scale: number, trapezoidMm: number): number {
  return scale === 1 ? before : Math.max(before, Math.round((scale - 1) * trapezoidMm));
}

/**
 * The course with its last frame as a place that was reached: what was driven since `from`, the place reached before,
 * counts. It is at least the straight line, unless the speeds show a stand, and at most the way along the positions, which
 * wavers at a crawl. The speeds show where between them it is.
 */
export function settled(course: Course, from: { readonly last: Place; readonly chordMm: number }): Course {
  const straightMm = toMm(metresBetween(from.last, course.last)) - (course.chordMm - from.chordMm);
  const isStand = course.speedMm === 0;
  // Without a speed the way is measured up to a corner: from there on it is straight.
  const lastMm = course.roaming === null ? 0 : toMm(metresBetween(course.corner, course.last));
  const drivenMm = Math.max(0, isStand ? 0 : straightMm, Math.min(course.speedMm, course.pathMm + lastMm));
  const corner = isStand ? course.corner : placeIn(course.last);
  if (course.roaming === null) {
    return { ...course, corner, settledMm: course.settledMm + drivenMm, pathMm: 0, speedMm: 0 };
  }
  const { roaming, countedMm } = counted(course.roaming, course.last, drivenMm);
  return { ...course, corner, settledMm: course.settledMm + countedMm, pathMm: 0, speedMm: 0, roaming };
}

function roamedWith(roaming: Roaming | null, { to, ms }: Leg, isCorner: boolean): Roaming | null {
  return roaming === null || roaming.isOver || !isCorner ? roaming : roamedTo(roaming, to, ms);
}

/** The course at the end of its trip: what may have been wavering counts, unless it was shown to be. */
export function released(course: Course): Course {
  const { roaming } = course;
  if (roaming === null || roaming.heldMm === 0) return course;
  const settledMm = course.settledMm + heldIn(roaming);
  return { ...course, settledMm, roaming: { ...roaming, heldMm: 0 } };
}

/** The course of a vehicle that has stood since a place was reached: it drove nowhere, however its positions wavered. */
export function rested(course: Course, since: Course): Course {
  const { settledMm, chordMm, trapezoidMm, longestMm, mostMm, slackMm, lowMm, gapMm, drivingMs } = since;
  const bounds = { longestMm, mostMm, slackMm, lowMm };
  const driven = { settledMm, pathMm: 0, speedMm: 0, chordMm, trapezoidMm, ...bounds, gapMm, drivingMs };
  const idleMs = since.idleMs + (course.last.at - since.last.at);
  return { ...course, corner: placeIn(course.last), ...driven, idleMs };
}

/** What a leg adds. */
interface Measured
  extends Pick<Course, "pathMm" | "speedMm" | "chordMm" | "trapezoidMm" | "longestMm" | "mostMm" | "gapMm"> {
  /** The way is measured up to its end. */
  readonly isCorner: boolean;
  readonly heading: Offset | null;
}

/** What shows on the positions. No spreads here: this is done for each frame. */
function measured(isCorner: boolean, pathMm: number, speedMm: number, gapMm = 0): Measured {
  return { isCorner, pathMm, speedMm, chordMm: 0, trapezoidMm: 0, longestMm: 0, mostMm: 0, gapMm, heading: null };
}

const nothing = measured(false, 0, 0);

function measure(leg: Leg, corner: Place, heading: Offset | null, pace: Pace): Measured {
  const { from, to, ms } = leg;
  if (isUnseen(ms, pace)) {
    const mm = unseenMm(leg);
    return measured(true, mm, mm, mm);
  }
  const metres = metresBetween(corner, to);
  const mm = toMm(metres);
  const { frozenMm } = leg;
  if (frozenMm !== null && isDrivenUnseen(leg)) {
    const longestMm = Math.max(mm, frozenMm);
    return { ...nothing, isCorner: true, chordMm: mm, trapezoidMm: frozenMm, longestMm, mostMm: mm };
  }
  const bySpeedMm = ms > longestSpeedLegMs ? null : speedMmBetween(from, to);
  if (bySpeedMm === null) {
    const isStep = from.speedKmh === null || to.speedKmh === null ? isStepOf(leg, metres) : isDrivenAt(from, to);
    return isStep ? measured(true, mm, mm) : measured(false, 0, toMm(leg.metres));
  }
  return ms >= shortestSpeedLegMs ? bySpeeds(leg, mm, bySpeedMm, heading) : alongPositions(leg, mm, bySpeedMm);
}

/** `metres`: from the last corner. */
function isStepOf(leg: Leg, metres: number): boolean {
  return metres >= cornerMetres || (leg.metres >= slowStepMetres && leg.ms >= slowStepMs);
}

/** A tunnel may bend, but a vehicle that comes out where it went in has stood, with its last speed repeated. */
const leastOfTunnel = 0.2;

/** Whether a vehicle whose place was repeated has been driven by the speeds that were sent with it. */
export function isDrivenUnseen({ metres, frozenMm }: Leg): boolean {
  return frozenMm !== null && frozenMm > 0 && toMm(metres) >= leastOfTunnel * frozenMm;
}

/** A leg on which the road may turn. `mm`: from where it was last driven; `before`: where the last leg led. */
function bySpeeds(leg: Leg, mm: number, bySpeedMm: number, before: Offset | null): Measured {
  const { from, to, ms, areSpeedsTrusted } = leg;
  const legMm = toMm(leg.metres);
  const isSampled = ms <= longestSampledLegMs;
  const isStand = areSpeedsTrusted && ms <= longestStandingLegMs && !isDrivenAt(from, to);
  if (isStand && !isSampled) return mm < surelyCreptMm ? nothing : creptOn(mm);
  const creptMm = isSampled || mm - legMm < leastCreptMm ? 0 : mm - legMm;
  const chordMm = isStand ? Math.min(legMm, bySpeedMm) : legMm + creptMm;
  const { moreMm, heading } = windingOf(leg, chordMm, before);
  const longestMm = Math.round(chordMm + moreMm);
  const mostMm = areSpeedsTrusted && isSampled ? bySpeedMm + roundedMm(from, to) : chordMm;
  const trapezoidMm = bySpeedMm;
  return { isCorner: true, pathMm: 0, speedMm: 0, chordMm, trapezoidMm, longestMm, mostMm, gapMm: 0, heading };
}

/** The speeds at both ends say nothing of it. */
function creptOn(mm: number): Measured {
  const way = { chordMm: mm, trapezoidMm: 0, longestMm: mm, mostMm: mm };
  return { isCorner: true, pathMm: 0, speedMm: 0, ...way, gapMm: 0, heading: null };
}

/** A leg so short that the positions show the road. */
function alongPositions(leg: Leg, mm: number, bySpeedMm: number): Measured {
  const { from, to, metres, areSpeedsTrusted } = leg;
  if (!isDrivenAt(from, to)) return areSpeedsTrusted ? nothing : measured(false, 0, toMm(metres));
  const pathMm = areSpeedsTrusted && isCrawl(from, to) ? bySpeedMm : mm;
  return measured(true, pathMm, bySpeedMm + roundedMm(from, to));
}

/** Both ends are still, and close together. A leg that leads elsewhere is not, whatever its ends report. */
export function isStandingLeg({ from, to, metres }: Leg): boolean {
  return from.motion === "still" && to.motion === "still" && metres <= dwellMetres;
}

/** Whether it is moving at either end. At rest a receiver reports up to 3 km/h. */
function isDrivenAt(from: Fix, to: Fix): boolean {
  return from.motion !== "still" || to.motion !== "still";
}

function placeIn({ latitude, longitude }: Place): Place {
  return { latitude, longitude };
}
