import type { FenceInForce } from "../device-context.ts";
import { metresBetween, type Place } from "../geometry/distance.ts";
import { type FenceArea, signedDistanceMetres } from "../geometry/fence-area.ts";
import type { Fix, Leg } from "../sighting.ts";
import { noFacts } from "../step.ts";
import { bufferMetres, errorMetres, isBeyond, standingMetres } from "./buffer.ts";
import { type Candidate, type FenceRecord, type FenceStep, type Left, outside } from "./fence-record.ts";
import { candidateOn, crossingFact, eventsThrough, leftOn, longestInterpolatedMs, strayedOn } from "./moments.ts";

/** A lone frame is not believed, unless the next one comes so late that the vehicle may have come and gone. */
const loneFrameMs = 60_000;

/** What a leg says of the record's candidate. */
export function settle(record: FenceRecord, fence: FenceInForce, leg: Leg, stop: Place | null): FenceStep<FenceRecord> {
  const { candidate } = record;
  if (candidate === null) return unchanged(record);
  if (stop !== null) return settleStanding(record, candidate, fence, leg, stop);
  return record.isInside ? settleExit(record, candidate, fence, leg) : settleVisit(record, candidate, fence, leg);
}

/**
 * The vehicle stands, and its fix drifts. The candidate is reported if both the stop and the fix are on its side, and
 * dropped if neither is, or if its frame was away from the stop and the vehicle is back. What it drove through before it
 * stopped stays pending until it drives on.
 */
function settleStanding(
  record: FenceRecord,
  candidate: Candidate,
  { area }: FenceInForce,
  { from, to }: Leg,
  stop: Place,
): FenceStep<FenceRecord> {
  const isThere = (place: Place) => isBeyond(record.isInside, signedDistanceMetres(area, place), area, to);
  if (record.left === null && metresBetween(from, stop) > standingMetres) return dropped(record);
  const isFixThere = isThere(to);
  if (isFixThere !== isThere(stop)) return unchanged(record);
  if (isFixThere) return reported(record, candidate, to);
  return record.left === null ? dropped(record) : unchanged(record);
}

/** An exit stands if the next frame is beyond the buffer too, or too late to contradict it; else it is dropped. */
function settleExit(
  record: FenceRecord,
  candidate: Candidate,
  { area }: FenceInForce,
  { to, ms }: Leg,
): FenceStep<FenceRecord> {
  const isConfirmed = ms > loneFrameMs || isBeyond(true, signedDistanceMetres(area, to), area, to);
  return isConfirmed ? reported(record, candidate, to) : dropped(record);
}

/**
 * An entry is reported if the next frame is inside too, or comes so late that it cannot contradict it. Otherwise it is kept
 * while the vehicle is in the buffer: as long as it has not left that, it is one visit. Beyond the buffer it is over. If it
 * comes in again from the buffer, the visit goes on, or begins only now if the frame inside before was a waver on the edge.
 */
function settleVisit(record: FenceRecord, candidate: Candidate, fence: FenceInForce, leg: Leg): FenceStep<FenceRecord> {
  const { area } = fence;
  const metres = signedDistanceMetres(area, leg.to);
  if (record.left === null && (metres <= 0 || leg.ms > loneFrameMs)) {
    return reported(record, candidate, leg.to);
  }
  if (metres <= 0 && record.left !== null) {
    const goesOn = isVisit(candidate, record.left, area);
    const entry = goesOn ? candidate : candidateOn(strayedOn(area, leg), leg);
    return { record: { ...record, candidate: entry, left: null }, events: noFacts };
  }
  const left = leftOn(record.left, area, leg);
  const isOver = metres >= bufferMetres(area, leg.to.accuracyM) || leg.to.at - left.at > longestInterpolatedMs;
  if (!isOver) return left === record.left ? unchanged(record) : { record: { ...record, left }, events: noFacts };
  return endVisit({ ...record, left }, fence, leg.to);
}

/** Reports the visit that the record holds, if it was one. Only what was driven before this fix decides that. */
export function endVisit(record: FenceRecord, fence: FenceInForce, { receivedAt }: Fix): FenceStep<FenceRecord> {
  const { fenceId, lastReported, candidate, left } = record;
  if (candidate === null || left === null) return unchanged(record);
  const updatedAt = Math.max(candidate.receivedAt, left.receivedAt, receivedAt);
  const seen = { interpolated: false, receivedAt, updatedAt };
  const events = isVisit(candidate, left, fence.area)
    ? eventsThrough(fence.id, lastReported, candidate, left, seen)
    : noFacts;
  return { record: { fenceId, ...outside, lastReported: events.length > 0 ? null : lastReported }, events };
}

/** An edit of a fence must not undo what was driven before it: what is pending is measured against the fence as it was. */
export function settleBeforeEdit(
  record: FenceRecord,
  fence: FenceInForce,
  leg: Leg,
  stop: Place | null,
): FenceStep<FenceRecord> {
  // If it was still in the buffer, the visit ends with the fence. Otherwise the leg decides, which began before the edit.
  if (record.left !== null) return endVisit(record, fence, leg.to);
  const settled = settle(record, fence, leg, stop);
  return settled.record.left === null ? settled : endVisit(settled.record, fence, leg.to);
}

function unchanged(record: FenceRecord): FenceStep<FenceRecord> {
  return { record, events: noFacts };
}

function dropped(record: FenceRecord): FenceStep<FenceRecord> {
  return { record: { ...record, candidate: null }, events: noFacts };
}

/** The fix confirms the candidate. */
function reported(
  { fenceId, isInside, enteredAt, entryKnownAt, lastReported }: FenceRecord,
  candidate: Candidate,
  { receivedAt }: Fix,
): FenceStep<FenceRecord> {
  const { at: occurredAt, timeUncertaintyMs, receivedAt: suggestedAt } = candidate;
  const eventType = isInside ? "exit" : "enter";
  const updatedAt = Math.max(suggestedAt, receivedAt, (isInside && entryKnownAt) || 0);
  const dwellMs = isInside && enteredAt !== null ? occurredAt - enteredAt : null;
  const times = { timeUncertaintyMs, dwellMs, receivedAt, updatedAt };
  const event = crossingFact(fenceId, eventType, candidate, { interpolated: false, ...times });
  const after: FenceRecord = isInside
    ? { fenceId, ...outside }
    : { fenceId, ...outside, isInside: true, enteredAt: occurredAt, entryKnownAt: updatedAt, lastReported: "enter" };
  return { record: after, events: lastReported === eventType ? noFacts : [event] };
}

/**
 * Whether a vehicle drove through a fence with a single frame inside, `candidate`'s. A lone frame does not confirm an entry:
 * it may be a stray fix, after which the vehicle is back where it went in. Coming out elsewhere, farther away than a fix may
 * be off, is driving through. Twice the buffer is enough in a small fence, as for a way with no frame inside.
 */
function isVisit(candidate: Candidate, left: Left, area: FenceArea): boolean {
  if (candidate.timeUncertaintyMs > 0) return false;
  const { accuracyM } = left;
  const enoughMetres = Math.min(errorMetres(accuracyM), 2 * bufferMetres(area, accuracyM));
  return metresBetween(candidate, left) >= enoughMetres;
}
