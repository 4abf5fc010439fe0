import type { CrossingFact } from "../facts.ts";
import type { FenceArea } from "../geometry/fence-area.ts";
import { edgeFraction, passage, placeBetween } from "../geometry/passage.ts";
import type { Leg } from "../sighting.ts";
import type { Candidate, EdgeMoment, EventType, Left } from "./fence-record.ts";

/** Over a longer leg, no moment between its ends is a better guess than another. */
export const longestInterpolatedMs = 900_000;

/** After a leg's start, not after its end: so events of one fence never share a millisecond. */
export function momentOn(leg: Leg, fraction: number): number {
  return leg.from.at + Math.max(1, Math.round(fraction * leg.ms));
}

/** Where a leg went over the edge to the side on which it ends. */
export function strayedOn(area: FenceArea, leg: Leg): EdgeMoment {
  return edgeMoment(leg, edgeFraction(area, leg.from, leg.to));
}

/** Where a visit was left: on this leg, or before it, unless the leg led through the fence once more. */
export function leftOn(before: Left | null, area: FenceArea, leg: Leg): Left {
  const { speedKmh, accuracyM } = leg.to;
  if (before === null) return { ...strayedOn(area, leg), speedKmh, accuracyM };
  const again = passage(area, leg.from, leg.to);
  return again === null ? before : { ...edgeMoment(leg, again.exit), speedKmh, accuracyM };
}

function edgeMoment(leg: Leg, fraction: number): EdgeMoment {
  const { latitude, longitude } = placeBetween(leg.from, leg.to, fraction);
  const receivedAt = Math.max(leg.from.receivedAt, leg.to.receivedAt);
  return { afterAt: leg.from.at, at: momentOn(leg, fraction), latitude, longitude, receivedAt };
}

/**
 * The event that the end of a leg suggests. It happened at the edge. But if the vehicle was last seen on its old side
 * too long ago (few frames, or it lingered in the buffer), the event happened where it is seen now, give or take this
 * leg.
 */
export function candidateOn(strayed: EdgeMoment, { to, ms }: Leg): Candidate {
  const frameAt = to.at;
  const { speedKmh } = to;
  const receivedAt = Math.max(strayed.receivedAt, to.receivedAt);
  if (frameAt - strayed.afterAt <= longestInterpolatedMs) {
    const { at, latitude, longitude } = strayed;
    return { frameAt, at, latitude, longitude, speedKmh, timeUncertaintyMs: 0, receivedAt };
  }
  const { latitude, longitude } = to;
  return { frameAt, at: frameAt, latitude, longitude, speedKmh, timeUncertaintyMs: ms, receivedAt };
}

/** When, where and how fast an edge was crossed. */
type Passing = Pick<Candidate, "at" | "latitude" | "longitude" | "speedKmh">;

export function crossingFact(
  fenceId: string,
  eventType: EventType,
  { at: occurredAt, latitude, longitude, speedKmh }: Passing,
  about: Pick<CrossingFact, "interpolated" | "timeUncertaintyMs" | "dwellMs" | "receivedAt" | "updatedAt">,
): CrossingFact {
  return { kind: "crossing", fenceId, eventType, occurredAt, latitude, longitude, speedKmh, ...about };
}

/** The events of a way through a fence. After an enter, only the exit is reported. */
export function eventsThrough(
  fenceId: string,
  lastReported: EventType | null,
  entry: Passing,
  exit: Passing,
  seen: Pick<CrossingFact, "interpolated" | "receivedAt" | "updatedAt">,
): readonly CrossingFact[] {
  const about = { ...seen, timeUncertaintyMs: 0 };
  const left = crossingFact(fenceId, "exit", exit, { ...about, dwellMs: exit.at - entry.at });
  if (lastReported === "enter") return [left];
  return [crossingFact(fenceId, "enter", entry, { ...about, dwellMs: null }), left];
}
