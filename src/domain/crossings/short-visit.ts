import type { FenceInForce } from "../device-context.ts";
import type { CrossingFact, Fact } from "../facts.ts";
import { metresBetween } from "../geometry/distance.ts";
import type { Leg } from "../sighting.ts";
import { bufferMetres } from "./buffer.ts";
import type { Candidate, EventType } from "./fence-record.ts";
import { strayedOn } from "./moments.ts";

/**
 * Tells of a fence that was driven through with one frame inside, `candidate`, from which `leg` leads out again; and says
 * whether there was that to tell. A lone frame does not confirm an entry: it may have strayed, and then it comes back to
 * where it went in. Coming out somewhere else is driving through, as it is where no frame was inside at all. If the last
 * event that was told is an enter, only the exit is.
 */
export function tellShortVisit(
  candidate: Candidate,
  told: EventType | null,
  { id, area }: FenceInForce,
  leg: Leg,
  facts: Fact[],
): boolean {
  if (candidate.timeUncertaintyMs > 0) return false;
  const exit = strayedOn(area, leg);
  if (metresBetween(candidate, exit) < 2 * bufferMetres(area, leg.to.accuracyM)) return false;
  const seen = { kind: "crossing", fenceId: id, interpolated: false, timeUncertaintyMs: 0 } as const;
  if (told !== "enter") {
    const { at: occurredAt, latitude, longitude, speedKmh } = candidate;
    const enter: CrossingFact = {
      ...seen,
      eventType: "enter",
      occurredAt,
      latitude,
      longitude,
      speedKmh,
      dwellMs: null,
    };
    facts.push(enter);
  }
  const { at: occurredAt, latitude, longitude } = exit;
  const dwellMs = occurredAt - candidate.at;
  const left: CrossingFact = {
    ...seen,
    eventType: "exit",
    occurredAt,
    latitude,
    longitude,
    speedKmh: leg.to.speedKmh,
    dwellMs,
  };
  facts.push(left);
  return true;
}
