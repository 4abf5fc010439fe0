import type { TripFact } from "../../domain/facts.ts";
import { metresBetween, type Place } from "../../domain/geometry/distance.ts";
import type { Fix, Leg } from "../../domain/sighting.ts";
import { dwellMetres } from "../../domain/trips/course.ts";
import { lastStand } from "../../domain/trips/movement.ts";
import { type Pace, silenceMs } from "../../domain/trips/pace.ts";
import { standPlace } from "../../domain/trips/stand.ts";
import { paceIn } from "../../domain/trips/trip-state.ts";
import { earliestStart, isTowed, type TripState } from "../../domain/trips/trips.ts";
import type { Retrace, TracedFrame } from "./retrace.ts";
import { duration, length, near, place, speed, writtenInstant } from "./words.ts";

export function tripStart({ frames }: Retrace, { startedAt, start }: TripFact): string[] {
  const lines = [`${writtenInstant(startedAt)} at ${place(start)}.`];
  const shown = frames.find(({ after }) => earliestStart(after.trips) === startedAt);
  const left = frames.find((frame) => hasLeft(frame, startedAt));
  const { fix, leg, verdict } = shown?.sighting ?? {};
  const stop = shown && (leg === null ? fix : standIn(shown.before.trips));
  if (!shown || !left || !fix || !stop) return [...lines, "The frames that show why are not stored any more."];
  if (leg) lines.push(...rule(startedAt, fix, leg, stop, hasComeOn(shown)));
  else lines.push(verdict?.discontinuity ? "It had been carried there." : "That is the device's first position.");
  const gone = left.sighting.fix;
  if (left !== shown && gone !== null) lines.push(`${seen(gone, stop, startedAt)}: it had left.`);
  if (isTowed(left.after.trips)) lines.push("Its ignition was off: it was towed.");
  return lines;
}

function rule(startedAt: number, fix: Fix, leg: Leg, stop: Place, isOn: boolean): string[] {
  const ms = fix.at - startedAt;
  const earlier = duration(leg.ms);
  if (ms === 0 && metresBetween(stop, fix) <= dwellMetres) {
    return [isOn ? "The ignition came on then, at its stop." : "Then it was last at its stop."];
  }
  if (ms === 0) {
    return [
      `It was last seen ${earlier} before, ${length(leg.metres)} away. Nobody knows when it left: the trip starts where it is seen.`,
      "What it drove before counts for the day, not for the trip.",
    ];
  }
  const first = `${seen(fix, stop, startedAt)}.`;
  if (ms >= leg.ms) return [first, `The start is the frame before, ${duration(ms)} earlier.`];
  return [
    first,
    `The start is reckoned ${duration(ms)} before that, the time to come so far: the frame before is ${earlier} older.`,
  ];
}

function seen(fix: Fix, stop: Place, other: number): string {
  const at = fix.speedKmh === null ? "" : ` at ${speed(fix.speedKmh)}`;
  return `At ${near(fix.at, other)} it was ${length(metresBetween(stop, fix))} from its stop${at}`;
}

function hasLeft({ before, after, facts }: TracedFrame, startedAt: number): boolean {
  if (facts.some((fact) => fact.kind === "trip" && fact.startedAt === startedAt)) return true;
  return before.trips !== after.trips && after.trips.phase === "driving" && after.trips.start.at === startedAt;
}

function hasComeOn({ before, sighting }: TracedFrame): boolean {
  return before.trips.phase === "stopped" && before.trips.isIgnitionOff && sighting.fix?.ignition === true;
}

/** Where the vehicle stood, or came to stand. */
function standIn(state: TripState): Place | null {
  if (state.phase === "unknown") return null;
  if (state.phase === "stopped") return standPlace(state.stand);
  return standPlace(lastStand(state.phase === "driving" ? state : state.movement));
}

export function tripEnd({ frames, tip }: Retrace, trip: TripFact): string[] {
  const { startedAt, endedAt, end, endReason } = trip;
  const pace = paceIn(tip.trips);
  if (endedAt === null || end === null) return [inProgress(tip.trips, pace, startedAt)];
  const line = `${writtenInstant(endedAt)} at ${place(end)} (${endReason}).`;
  const shown = frames.find(({ facts }) => facts.some((fact) => fact.kind === "trip" && fact.startedAt === startedAt));
  return [line, ...reason(trip, endedAt, shown ?? null, shown ? paceIn(shown.before.trips) : pace)];
}

function inProgress(state: TripState, pace: Pace, other: number): string {
  const last = state.phase === "driving" ? ` Its last position is of ${near(state.course.last.at, other)}.` : "";
  return `It has not ended.${last} If none comes for ${duration(silenceMs(pace))}, it ends there.`;
}

function reason({ endReason }: TripFact, endedAt: number, shown: TracedFrame | null, pace: Pace): string[] {
  const { leg = null, fix = null, previous = null } = shown?.sighting ?? {};
  switch (endReason) {
    case "ignition_off":
      return shown === null
        ? ["The ignition went off. If it comes on again at once, the trip goes on."]
        : ["The ignition went off, and did not come on again at once."];
    case "stationary": {
      const stood = fix === null ? "long" : duration(fix.at - endedAt);
      const isOn = shown?.before.trips.phase === "driving" && shown.before.trips.ignition === true;
      const ignition = isOn ? " with the ignition on" : "";
      return [`From then on it stood within ${dwellMetres} m for ${stood}${ignition}: the trip ended when it arrived.`];
    }
    case "gap":
      if (leg === null) return [`No position came for ${duration(silenceMs(pace))}: it ended where it was last seen.`];
      return [`The next position came ${duration(leg.ms)} later, ${length(leg.metres)} away. ${gap(leg, pace)}`];
    case "discontinuity": {
      if (fix === null || previous === null) return ["The next position does not follow from the one before."];
      const metres = length(metresBetween(previous, fix));
      const after = duration(fix.at - previous.at);
      return [`${after} later it was ${metres} away, which it cannot have driven: it was carried there. That is 0 km.`];
    }
    case null:
      return [];
  }
}

function gap({ ms, metres, impliedKmh }: { ms: number; metres: number; impliedKmh: number }, pace: Pace): string {
  if (ms > silenceMs(pace)) return `After a silence of over ${duration(silenceMs(pace))} a trip is over.`;
  if (metres <= dwellMetres) return "It stood there meanwhile.";
  return `That is ${speed(impliedKmh)} on average: it stood for most of the time.`;
}
