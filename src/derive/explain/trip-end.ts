import type { TripFact } from "../../domain/facts.ts";
import { metresBetween } from "../../domain/geometry/distance.ts";
import { dwellMetres } from "../../domain/trips/course.ts";
import { type Pace, silenceMs } from "../../domain/trips/pace.ts";
import type { TripState } from "../../domain/trips/trips.ts";
import { paceIn, type Retrace, type TracedFrame } from "./retrace.ts";
import { duration, instant, length, near, place, speed } from "./words.ts";

/** What ended a trip, and which frame showed it. */
export function tripEnd({ frames, tip }: Retrace, trip: TripFact): string[] {
  const { startedAt, endedAt, end, endReason } = trip;
  const pace = paceIn(tip.trips);
  if (endedAt === null || end === null) return [inProgress(tip.trips, pace, startedAt)];
  const line = `${instant(endedAt)} at ${place(end)} (${endReason}).`;
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
