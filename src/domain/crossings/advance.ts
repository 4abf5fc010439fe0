import type { FenceInForce } from "../device-context.ts";
import type { CrossingFact } from "../facts.ts";
import { mayMeet } from "../geometry/extent.ts";
import { type FenceArea, signedDistanceMetres } from "../geometry/fence-area.ts";
import type { Fix, Leg } from "../sighting.ts";
import { joined, noFacts } from "../step.ts";
import { bufferMetres } from "./buffer.ts";
import { type FenceRecord, outside, worthStoring } from "./fence-record.ts";
import { candidateOn, strayedOn } from "./moments.ts";
import { shortVisitEvents } from "./short-visit.ts";
import { passageEvents } from "./unseen-passage.ts";

/** What is known of a fence after a frame, and the events that the frame completed. */
export interface FenceStep<Known extends FenceRecord | null = FenceRecord | null> {
  readonly record: Known;
  readonly events: readonly CrossingFact[];
}

/** A lone frame is not believed, unless the next one comes so late that the vehicle may have come and gone. */
const loneFrameMs = 60_000;

/**
 * What is known of a fence after one more leg. While the vehicle stands, a frame is no reason for an event; it can only
 * confirm the candidate before it.
 */
export function advance(record: FenceRecord | null, fence: FenceInForce, leg: Leg, isStanding: boolean): FenceStep {
  const { area } = fence;
  const fix = leg.to;
  if (record === null && !mayMeet(area.extent, fix, fix)) {
    return { record: null, events: isStanding ? noFacts : passageEvents(null, fence, leg) };
  }
  const { record: resolved, events } =
    record === null
      ? { record: { fenceId: fence.id, ...outside }, events: noFacts }
      : resolve(record, area, fix, isStanding);
  const { isInside } = resolved;
  const metres = signedDistanceMetres(area, fix);
  const hasStrayed = isInside ? metres > 0 : metres <= 0;
  const strayed = hasStrayed ? (resolved.strayed ?? strayedOn(area, leg)) : null;
  const isReason = !isStanding && isBeyond(isInside, metres, area, fix);
  const candidate = isReason && strayed !== null ? candidateOn(strayed, leg) : null;
  const mayHavePassed = !isInside && !hasStrayed && !isStanding;
  const passed = mayHavePassed ? eventsOfWayThrough(record, resolved, fence, leg, metres) : noFacts;
  const told = passed.length > 0 ? null : resolved.told;
  if (resolved === record && strayed === record.strayed && candidate === record.candidate && told === record.told) {
    return { record, events: passed };
  }
  return { record: worthStoring({ ...resolved, told, strayed, candidate }), events: joined(events, passed) };
}

/** For a leg that ends outside: the events if the fence was driven through, with one frame inside or none. */
function eventsOfWayThrough(
  before: FenceRecord | null,
  { told }: FenceRecord,
  fence: FenceInForce,
  leg: Leg,
  metres: number,
): readonly CrossingFact[] {
  const wasCandidate = before !== null && !before.isInside ? before.candidate : null;
  if (wasCandidate === null) return passageEvents(told, fence, leg);
  const isClearlyOut = metres >= bufferMetres(fence.area, leg.to.accuracyM);
  return isClearlyOut ? shortVisitEvents(wasCandidate, told, fence, leg) : noFacts;
}

/**
 * What is known of a fence edited since the frame before. An edit must not undo what was driven before it, so a
 * candidate is measured against the fence as it was then.
 */
export function concludeBefore(
  record: FenceRecord,
  fence: FenceInForce,
  leg: Leg,
  isStanding: boolean,
): FenceStep<FenceRecord> {
  const after = resolve(record, fence.area, leg.to, isStanding);
  const { record: resolved, events } = after;
  if (record.candidate === null || record.isInside || resolved.isInside || isStanding) return after;
  const metres = signedDistanceMetres(fence.area, leg.to);
  const visit = metres > 0 ? eventsOfWayThrough(record, resolved, fence, leg, metres) : noFacts;
  return visit.length > 0 ? { record: { ...resolved, told: null }, events: joined(events, visit) } : after;
}

/**
 * The candidate is reported if the next frame is on its side too, or comes so late that it cannot contradict it;
 * otherwise it is dropped. A late frame that disagrees is itself a reason for the opposite event.
 */
function resolve(record: FenceRecord, area: FenceArea, fix: Fix, isStanding: boolean): FenceStep<FenceRecord> {
  const { fenceId, isInside, enteredAt, told, candidate } = record;
  if (candidate === null) return { record, events: noFacts };
  const { frameAt, at: occurredAt, latitude, longitude, speedKmh, timeUncertaintyMs } = candidate;
  const isTooLate = !isStanding && fix.at - frameAt > loneFrameMs;
  if (!isTooLate && !isBeyond(isInside, signedDistanceMetres(area, fix), area, fix)) {
    return { record: { ...record, candidate: null }, events: noFacts };
  }
  const eventType = isInside ? "exit" : "enter";
  const dwellMs = isInside && enteredAt !== null ? occurredAt - enteredAt : null;
  const event: CrossingFact = {
    kind: "crossing",
    fenceId,
    eventType,
    occurredAt,
    latitude,
    longitude,
    speedKmh,
    interpolated: false,
    timeUncertaintyMs,
    dwellMs,
  };
  const after: FenceRecord = isInside
    ? { fenceId, ...outside }
    : { fenceId, isInside: true, enteredAt: occurredAt, told: "enter", strayed: null, candidate: null };
  return { record: after, events: told === eventType ? noFacts : [event] };
}

/** Whether a frame is so clearly on the other side that it is a reason for an event. */
function isBeyond(isInside: boolean, metres: number, area: FenceArea, fix: Fix): boolean {
  return isInside ? metres >= bufferMetres(area, fix.accuracyM) : metres <= 0;
}
