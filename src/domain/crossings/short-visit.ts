import type { FenceInForce } from "../device-context.ts";
import type { CrossingFact } from "../facts.ts";
import { metresBetween } from "../geometry/distance.ts";
import type { FenceArea } from "../geometry/fence-area.ts";
import { noFacts } from "../step.ts";
import { bufferMetres, errorMetres } from "./buffer.ts";
import type { Candidate, EdgeMoment, EventType, Left } from "./fence-record.ts";

/**
 * Whether a vehicle drove through a fence with a single frame inside, `candidate`'s. A lone frame does not confirm an entry:
 * it may be a stray fix, after which the vehicle is back where it went in. Coming out elsewhere, farther away than a fix may
 * be off, is driving through. Twice the buffer is enough in a small fence, as for a way with no frame inside.
 */
export function isVisit(candidate: Candidate, left: Left, area: FenceArea): boolean {
  if (candidate.timeUncertaintyMs > 0) return false;
  const { accuracyM } = left;
  const enoughMetres = Math.min(errorMetres(accuracyM), 2 * bufferMetres(area, accuracyM));
  return metresBetween(candidate, left) >= enoughMetres;
}

/**
 * The events of a fence that was left again after single frames inside; none if that was no visit. If the last event
 * reported is an enter, only the exit is reported. `receivedAt`: of the frame that shows that it was left.
 */
export function visitEvents(
  candidate: Candidate,
  left: Left,
  lastReported: EventType | null,
  { id, area }: FenceInForce,
  receivedAt: number,
): readonly CrossingFact[] {
  if (!isVisit(candidate, left, area)) return noFacts;
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
    receivedAt,
    updatedAt: Math.max(candidate.receivedAt, left.receivedAt, receivedAt),
  });
  const exit = event("exit", left, left.speedKmh, left.at - candidate.at);
  return lastReported === "enter" ? [exit] : [event("enter", candidate, candidate.speedKmh, null), exit];
}
