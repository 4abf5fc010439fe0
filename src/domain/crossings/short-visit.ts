import type { FenceInForce } from "../device-context.ts";
import type { CrossingFact } from "../facts.ts";
import { metresBetween } from "../geometry/distance.ts";
import type { Leg } from "../sighting.ts";
import { noFacts } from "../step.ts";
import { bufferMetres } from "./buffer.ts";
import type { Candidate, EventType, Strayed } from "./fence-record.ts";
import { strayedOn } from "./moments.ts";

/**
 * The events of a fence that was driven through with one frame inside, `candidate`, from which `leg` leads out again;
 * none if it was not. A lone frame does not confirm an entry: it may be a stray fix, after which the vehicle is back
 * where it went in. Coming out elsewhere is driving through, even if no frame was inside. If the last event reported is
 * an enter, only the exit is reported.
 */
export function shortVisitEvents(
  candidate: Candidate,
  lastReported: EventType | null,
  { id, area }: FenceInForce,
  leg: Leg,
): readonly CrossingFact[] {
  if (candidate.timeUncertaintyMs > 0) return noFacts;
  const exit = strayedOn(area, leg);
  if (metresBetween(candidate, exit) < 2 * bufferMetres(area, leg.to.accuracyM)) return noFacts;
  const event = (
    eventType: EventType,
    { at: occurredAt, latitude, longitude }: Omit<Strayed, "afterAt">,
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
  const left = event("exit", exit, leg.to.speedKmh, exit.at - candidate.at);
  return lastReported === "enter" ? [left] : [event("enter", candidate, candidate.speedKmh, null), left];
}
