import type { FenceInForce } from "../device-context.ts";
import type { Fact } from "../facts.ts";
import { mayMeet } from "../geometry/extent.ts";
import { type FenceArea, signedDistanceMetres } from "../geometry/fence-area.ts";
import type { Fix, Leg } from "../sighting.ts";
import { bufferMetres } from "./buffer.ts";
import { type FenceRecord, outside, worthKeeping } from "./fence-record.ts";
import { candidateOn, strayedOn } from "./moments.ts";
import { tellShortVisit } from "./short-visit.ts";
import { tellPassage } from "./unseen-passage.ts";

/** A lone frame is not believed, unless so much time passes to the next one that the vehicle may have come and gone. */
const loneFrameMs = 60_000;

/**
 * What is known of a fence after one more leg. While the vehicle is standing, a frame gives no reason for an event; it
 * may only confirm the one before it, by agreeing with it.
 */
export function advance(
  record: FenceRecord | null,
  fence: FenceInForce,
  leg: Leg,
  isStanding: boolean,
  facts: Fact[],
): FenceRecord | null {
  const { area } = fence;
  const fix = leg.to;
  if (record === null && !mayMeet(area.extent, fix, fix)) {
    if (!isStanding) tellPassage(null, fence, leg, facts);
    return null;
  }
  const resolved = record === null ? { fenceId: fence.id, ...outside } : resolve(record, area, fix, isStanding, facts);
  const { isInside } = resolved;
  const metres = signedDistanceMetres(area, fix);
  const hasStrayed = isInside ? metres > 0 : metres <= 0;
  const strayed = hasStrayed ? (resolved.strayed ?? strayedOn(area, leg)) : null;
  const isReason = !isStanding && isBeyond(isInside, metres, area, fix);
  const candidate = isReason && strayed !== null ? candidateOn(strayed, leg) : null;
  const mayHavePassed = !isInside && !hasStrayed && !isStanding;
  const hasPassed = mayHavePassed && tellWayThrough(record, resolved, fence, leg, metres, facts);
  const told = hasPassed ? null : resolved.told;
  if (resolved === record && strayed === record.strayed && candidate === record.candidate && told === record.told) {
    return record;
  }
  return worthKeeping({ ...resolved, told, strayed, candidate });
}

/** Of a leg that ends outside: whether the fence was driven through, with one frame inside or with none. */
function tellWayThrough(
  before: FenceRecord | null,
  { told }: FenceRecord,
  fence: FenceInForce,
  leg: Leg,
  metres: number,
  facts: Fact[],
): boolean {
  const wasCandidate = before !== null && !before.isInside ? before.candidate : null;
  if (wasCandidate === null) return tellPassage(told, fence, leg, facts);
  const isClearlyOut = metres >= bufferMetres(fence.area, leg.to.accuracyM);
  return isClearlyOut && tellShortVisit(wasCandidate, told, fence, leg, facts);
}

/**
 * What is known of a fence that was edited since the frame before: an edit must not undo what was driven before it, so a
 * candidate is measured by the fence as it was then.
 */
export function concludeBefore(
  record: FenceRecord,
  fence: FenceInForce,
  leg: Leg,
  isStanding: boolean,
  facts: Fact[],
): FenceRecord {
  const resolved = resolve(record, fence.area, leg.to, isStanding, facts);
  if (record.candidate === null || record.isInside || resolved.isInside || isStanding) return resolved;
  const metres = signedDistanceMetres(fence.area, leg.to);
  const hasVisited = metres > 0 && tellWayThrough(record, resolved, fence, leg, metres, facts);
  return hasVisited ? { ...resolved, told: null } : resolved;
}

/**
 * The candidate is told if the next frame is on its side as well, or comes so late that the candidate stands for itself,
 * whatever the frame says; else it is dropped. A late frame that disagrees is a reason for the opposite event in turn.
 */
function resolve(record: FenceRecord, area: FenceArea, fix: Fix, isStanding: boolean, facts: Fact[]): FenceRecord {
  const { fenceId, isInside, enteredAt, told, candidate } = record;
  if (candidate === null) return record;
  const { frameAt, at: occurredAt, latitude, longitude, speedKmh, timeUncertaintyMs } = candidate;
  const standsForItself = !isStanding && fix.at - frameAt > loneFrameMs;
  if (!standsForItself && !isBeyond(isInside, signedDistanceMetres(area, fix), area, fix)) {
    return { ...record, candidate: null };
  }
  const eventType = isInside ? "exit" : "enter";
  const dwellMs = isInside && enteredAt !== null ? occurredAt - enteredAt : null;
  if (told !== eventType) {
    facts.push({
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
    });
  }
  if (isInside) return { fenceId, ...outside };
  return { fenceId, isInside: true, enteredAt: occurredAt, told: "enter", strayed: null, candidate: null };
}

/** Whether a frame is so clearly on the other side that it is a reason for an event. */
function isBeyond(isInside: boolean, metres: number, area: FenceArea, fix: Fix): boolean {
  return isInside ? metres >= bufferMetres(area, fix.accuracyM) : metres <= 0;
}
