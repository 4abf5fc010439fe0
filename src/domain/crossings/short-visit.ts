import type { FenceInForce } from "../device-context.ts";
import type { CrossingFact } from "../facts.ts";
import { metresBetween } from "../geometry/distance.ts";
import { noFacts } from "../step.ts";
import { bufferMetres } from "./buffer.ts";
import type { Candidate, EdgeMoment, EventType, Left } from "./fence-record.ts";

/**
 * The events of a fence that was driven through with single frames inside, the first of them `candidate`'s; none if it was
 * not. A lone frame does not confirm an entry: it may be a stray fix, after which the vehicle is back where it went in.
 * Coming out elsewhere, farther away than a fix wavers, is driving through. A way with no frame inside must be longer, since
 * only the straight line between two frames says that it led there. If the last event reported is an enter, only the exit
 * is reported.
 */
export function visitEvents(
  candidate: Candidate,
  left: Left,
  lastReported: EventType | null,
  { id, area }: FenceInForce,
  accuracyM: number | null,
): readonly CrossingFact[] {
  if (candidate.timeUncertaintyMs > 0) return noFacts;
  if (metresBetween(candidate, left) < bufferMetres(area, accuracyM)) return noFacts;
  const event = (
    eventType: EventType,
    { at: occurredAt, latitude, longitude }: Omit<EdgeMoment, "afterAt">,
    speedKmh: number | null,
    dwellMs: number | null,
  ): CrossingFact => ({
    kind: "crossing",
    fenceId: id,
    interpolated: false,
    timeUncertaintyMs: 0,
    eventType,
    occurredAt,
    latitude,
    longitude,
    speedKmh,
    dwellMs,
  });
  const exit = event("exit", left, left.speedKmh, left.at - candidate.at);
  return lastReported === "enter" ? [exit] : [event("enter", candidate, candidate.speedKmh, null), exit];
}
