import type { TripFact } from "../../domain/facts.ts";
import { quantity } from "../../domain/text/text.ts";
import { type Course, distanceMm } from "../../domain/trips/course.ts";
import { finished, standMs } from "../../domain/trips/movement.ts";
import { gapMs, isGap, unknownPace, usualMs } from "../../domain/trips/pace.ts";
import { paceIn, reachedIn } from "../../domain/trips/trip-state.ts";
import type { TripState } from "../../domain/trips/trips.ts";
import { isUnseen, unseenMm } from "../../domain/trips/unseen.ts";
import type { Retrace, TracedFrame } from "./retrace.ts";
import { tripEnd, tripStart } from "./trip-ends.ts";
import {
  duration,
  type ExplainedSection,
  kilometres,
  length,
  near,
  notBelieved,
  receiptTimes,
  span,
  sum,
} from "./words.ts";

/** Why a trip begins and ends where it does, and what it counts. */
export function explainTrip(traced: Retrace, trip: TripFact): ExplainedSection[] {
  const endedAt = trip.startedAt + trip.durationMs;
  const during = traced.frames.filter(({ sighting: { frame } }) => isWithin(frame.recordedAt, trip.startedAt, endedAt));
  return [
    { title: "Start", lines: tripStart(traced, trip) },
    { title: "End", lines: tripEnd(traced, trip) },
    { title: "Distance", lines: distance(traced, trip, during) },
    { title: "Gaps", lines: gaps(trip, during) },
    { title: "Not counted", lines: notCounted(trip, during) },
    ...drivers(traced, trip, during),
    ...receiptTimes(during, trip.startedAt),
  ];
}

/** Who drove, by which tag or card, and what the tracker sent on the way; nothing of a tracker that sends none. */
function drivers({ frames }: Retrace, trip: TripFact, during: readonly TracedFrame[]): ExplainedSection[] {
  const drove = (trip.drivers ?? []).map(({ driverId, from, until }) => {
    const isTheirs = ({ sighting: { frame } }: TracedFrame) => frame.driver_id === driverId && frame.recordedAt <= from;
    const shownAt = frames.findLast(isTheirs)?.sighting.frame.recordedAt ?? null;
    return `${driverId} drove from ${span(from, until, trip.startedAt)}${shown(shownAt, from, trip.startedAt)}.`;
  });
  const sent = Map.groupBy(during, ({ sighting }) => sighting.frame.driver_id);
  sent.delete(undefined);
  const lines = [...sent].map(([driverId, frames]) => {
    const times = frames.map(({ sighting }) => sighting.frame.recordedAt);
    const when = span(times[0] ?? 0, times.at(-1) ?? 0, trip.startedAt);
    return `${driverId}: sent with ${quantity(frames.length, "frame")}, ${when}.`;
  });
  const all = [...drove, ...lines];
  return all.length === 0 ? [] : [{ title: "Drivers", lines: all }];
}

/** By which frame it is known. The first driver is taken to have driven from the start, if the card came later. */
function shown(at: number | null, from: number, other: number): string {
  if (at === null) return ", by the first card sent on the way";
  return at === from
    ? ", by the card sent then"
    : `, by the card sent ${duration(from - at)} before, ${near(at, other)}`;
}

function isWithin(at: number, from: number, to: number): boolean {
  return at >= from && at <= to;
}

function distance(traced: Retrace, trip: TripFact, during: readonly TracedFrame[]): string[] {
  const metres = sum(legsOf(trip, during).map((leg) => leg.metres));
  const lines = [
    `${kilometres(trip.distanceMm)}; straight from each position to the next it would be ${length(metres)}.`,
  ];
  const course = courseOf(traced, trip);
  if (course === null) return lines;
  const { settledMm, chordMm, trapezoidMm, lowMm, gapMm } = course;
  const bySpeedsMm = distanceMm(course) - settledMm;
  if (settledMm > gapMm) lines.push(`${kilometres(settledMm - gapMm)} along the positions.`);
  if (bySpeedsMm > 0) {
    lines.push(
      `${kilometres(bySpeedsMm)} on legs so long that a road may turn on them: straight they are ${kilometres(chordMm)}, ` +
        `by the speeds at their ends ${kilometres(trapezoidMm)}.`,
    );
    if (lowMm > 0)
      lines.push(`On straight ways the speeds are too low: over all of these legs by ${kilometres(lowMm)}.`);
  }
  if (gapMm > 0) lines.push(`${kilometres(gapMm)} unseen, straight from the position before to the one after.`);
  return lines;
}

/** The sums of the trip. A state after its end does not have them any more, but one around its end does. */
function courseOf({ frames, tip }: Retrace, trip: TripFact): Course | null {
  const end = frames.find(({ facts }) => facts.some((fact) => fact.kind === "trip" && isSame(fact, trip)));
  const states = end === undefined ? [tip.trips] : [end.before.trips, end.after.trips];
  const found = states.flatMap(coursesIn).find((course) => distanceMm(course) === trip.distanceMm);
  return found ?? null;
}

function isSame(one: TripFact, other: TripFact): boolean {
  return one.startedAt === other.startedAt;
}

function coursesIn(state: TripState): Course[] {
  if (state.phase === "driving")
    return [reachedIn(state), state.dwell, state.leaving?.dwell ?? state.dwell, finished(state)];
  if (state.phase === "switched_off") return [state.ended];
  return state.phase === "stopped" && state.leaving !== null ? [state.leaving.dwell] : [];
}

function legsOf(trip: TripFact, during: readonly TracedFrame[]) {
  return during.flatMap(({ sighting: { leg } }) => (leg !== null && leg.to.at > trip.startedAt ? [leg] : []));
}

function gaps(trip: TripFact, during: readonly TracedFrame[]): string[] {
  const last = during.at(-1);
  const pace = last === undefined ? unknownPace : paceIn(last.after.trips);
  const lines = [
    pace.length === 0
      ? "It is not known how often the tracker reports while it drives."
      : `While it drives, the tracker reports every ${duration(usualMs(pace))}. ` +
        `More than ${duration(gapMs(pace))} without a position is a gap.`,
  ];
  for (const { sighting, before } of during) {
    const { leg } = sighting;
    if (!trip.hasGap || leg === null || leg.from.at < trip.startedAt || !isGap(leg.ms, paceIn(before.trips))) continue;
    const when = span(leg.from.at, leg.to.at, trip.startedAt);
    lines.push(`Gap from ${when}: ${duration(leg.ms)}, ${length(leg.metres)}.`);
  }
  if (lines.length === 1) lines.push("There was none.");
  return lines;
}

function notCounted(trip: TripFact, during: readonly TracedFrame[]): string[] {
  const lines = stands(trip, during).map(({ from, to, metres }) => {
    const drift = metres < 1 ? "" : ` Its positions wavered by ${length(metres)}, which is not counted.`;
    return `It stood from ${span(from, to, trip.startedAt)}: ${duration(to - from)}.${drift}`;
  });
  for (const { sighting, before } of during) {
    const { leg } = sighting;
    if (leg === null || !isUnseen(leg.ms, paceIn(before.trips)) || leg.metres === 0 || unseenMm(leg) > 0) continue;
    const when = span(leg.from.at, leg.to.at, trip.startedAt);
    lines.push(`${length(leg.metres)} unseen from ${when}: too far or too fast to have been driven.`);
  }
  lines.push(...notBelieved(during, trip.startedAt));
  return lines.length === 0 ? ["All of its frames were believed, and it did not stand."] : lines;
}

/** Where the vehicle stood for long within the trip: from the first frame at a place to the last there. */
function stands({ startedAt, durationMs }: TripFact, during: readonly TracedFrame[]) {
  const fixes = during.flatMap(({ sighting: { fix } }) => (fix === null ? [] : [fix.at]));
  const legs = during.flatMap(({ sighting: { leg } }) => leg ?? []);
  const reached = [...new Set(during.flatMap(({ after }) => reachedAt(after.trips) ?? []))];
  const found: { from: number; to: number; metres: number }[] = [];
  let next = 0;
  for (const [index, from] of reached.entries()) {
    const until = reached[index + 1] ?? startedAt + durationMs + 1;
    let to = from;
    for (; (fixes[next] ?? until) < until; next++) to = fixes[next] ?? to;
    if (to - from < standMs) continue;
    const there = legs.filter((leg) => leg.from.at >= from && leg.to.at <= to);
    found.push({ from, to, metres: sum(there.map((leg) => leg.metres)) });
  }
  return found;
}

function reachedAt(state: TripState): number | null {
  if (state.phase === "driving") return state.dwell.last.at;
  return state.phase === "switched_off" ? state.movement.dwell.last.at : null;
}
