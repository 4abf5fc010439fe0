import type { TimeRejectReason } from "../verdict.ts";

const msPerDay = 86_400_000;

/** GPS counts its weeks in ten bits: a receiver that has lost count tells a time this much too early. */
const rolloverMs = 1024 * 7 * msPerDay;

/** By how much a repaired time may lie ahead of its receipt: a clock that is a little fast can roll over, too. */
const rolloverSlackMs = 90 * msPerDay;

/** No tracker of today was built before. */
const earliestMs = Date.UTC(2015, 0, 1);

/** A tracker's clock may be ahead of ours a little. */
const maxAheadMs = 300_000;

/** A tracker's memory does not reach further back; what is older comes from a clock that is wrong. */
const maxBehindMs = 400 * msPerDay;

/**
 * The time that a tracker meant: 1024 weeks are added as long as it lies more than 1024 weeks less 90 days before its
 * receipt. Any other time stays as it is.
 */
export function repairRollover(atMs: number, receivedAtMs: number): number {
  const tooEarlyMs = receivedAtMs - atMs - (rolloverMs - rolloverSlackMs);
  return tooEarlyMs > 0 ? atMs + Math.ceil(tooEarlyMs / rolloverMs) * rolloverMs : atMs;
}

/** The times that a receipt, whenever it was, may have made of this one: the same time and those it may have rolled over from. */
export function possibleTimes(atMs: number, untilMs: number): number[] {
  const times: number[] = [];
  for (let at = atMs; at <= untilMs; at += rolloverMs) times.push(at);
  return times;
}

/** Whether one time may have been made of the other, by other receipts. */
export function areRolloversApart(oneMs: number, otherMs: number): boolean {
  return (oneMs - otherMs) % rolloverMs === 0;
}

/** Two times that are less apart were not made of one. */
export const leastApartMs = rolloverMs;

/** Whether a frame of this time can have a place in the order at all. */
export function isPossibleTime(recordedAt: number): boolean {
  return recordedAt >= earliestMs;
}

/** What is known of when a frame was received, however often it was. */
export interface Receipts {
  readonly firstAt: number;
  /**
   * The first by which the frame is not from the future, if that is a later one than the first of all. Null if the first
   * of all says so, or none does.
   */
  readonly timelyAt: number | null;
}

/**
 * What two together know of a frame that was sent with this time. Whichever come first, and however they are joined, the
 * result is that of all receipts at once: whether the frame is from the future is judged as by the latest of them.
 */
export function joinReceipts(sentAt: number, one: Receipts, other: Receipts): Receipts {
  const firstAt = Math.min(one.firstAt, other.firstAt);
  const recordedAt = repairRollover(sentAt, firstAt);
  let timelyAt: number | null = null;
  for (const at of [one.firstAt, one.timelyAt, other.firstAt, other.timelyAt]) {
    if (at !== null && !isAhead(recordedAt, at)) timelyAt = Math.min(timelyAt ?? at, at);
  }
  return { firstAt, timelyAt: timelyAt === firstAt ? null : timelyAt };
}

/** Why a frame has no place in the order of its device's frames; null if it has one. For a time repaired by the first receipt. */
export function timeProblem(recordedAt: number, { firstAt, timelyAt }: Receipts): TimeRejectReason | null {
  if (!isPossibleTime(recordedAt)) return "time_invalid";
  if (isAhead(recordedAt, timelyAt ?? firstAt)) return "future_time";
  return recordedAt < firstAt - maxBehindMs ? "too_old" : null;
}

/** The latest time that is not from the future by a receipt. */
export function latestTimely(receivedAt: number): number {
  return receivedAt + maxAheadMs;
}

function isAhead(recordedAt: number, receivedAt: number): boolean {
  return recordedAt > latestTimely(receivedAt);
}
