import type { TimeRejectReason } from "../verdict.ts";

const msPerDay = 86_400_000;

/** GPS counts its weeks in ten bits: a receiver that has lost count tells a time this much too early. */
const rolloverMs = 1024 * 7 * msPerDay;

/** By how much a repaired time may lie ahead of its receipt: a clock that is a little fast can roll over, too. */
const rolloverSlackMs = 90 * msPerDay;

/** No tracker of today was built before. */
const earliestMs = Date.UTC(2015, 0, 1);

/** A tracker's clock may be ahead of ours a little. */
const mostAheadMs = 300_000;

/** A tracker's memory does not reach further back; what is older comes from a clock that is wrong. */
const mostBehindMs = 400 * msPerDay;

/**
 * The time that a tracker meant: 1024 weeks are added as long as it lies more than 1024 weeks less 90 days before its
 * receipt. Any other time stays as it is.
 */
export function repairRollover(atMs: number, receivedAtMs: number): number {
  const tooEarlyMs = receivedAtMs - atMs - (rolloverMs - rolloverSlackMs);
  return tooEarlyMs > 0 ? atMs + Math.ceil(tooEarlyMs / rolloverMs) * rolloverMs : atMs;
}

/** Why a frame has no place in the order of its device's frames; null if it has one. For a repaired time. */
export function timeProblem(recordedAt: number, receivedAt: number): TimeRejectReason | null {
  if (recordedAt < earliestMs) return "time_invalid";
  if (recordedAt > receivedAt + mostAheadMs) return "future_time";
  return recordedAt < receivedAt - mostBehindMs ? "too_old" : null;
}
