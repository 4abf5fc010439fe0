import type { TimeRejectReason } from "../verdict.ts";

const msPerDay = 86_400_000;

/** GPS counts its weeks in ten bits: a receiver that has lost count reports a time this much too early. */
const rolloverMs = 1024 * 7 * msPerDay;

/** How far a repaired time may be ahead of the time of receipt: a slightly fast clock can roll over, too. */
const rolloverSlackMs = 90 * msPerDay;

/** No tracker in use was built before this. */
const earliestMs = Date.UTC(2015, 0, 1);

/** A tracker's clock may be ahead of ours a little. */
const maxAheadMs = 300_000;

/** A tracker's memory does not reach further back; older times come from a wrong clock. */
const maxBehindMs = 400 * msPerDay;

/**
 * The time that a tracker meant: 1024 weeks are added until it is at most 1024 weeks less 90 days before the time of
 * receipt. Any other time stays as it is.
 */
export function repairRollover(atMs: number, receivedAtMs: number): number {
  const tooEarlyMs = receivedAtMs - atMs - (rolloverMs - rolloverSlackMs);
  return tooEarlyMs > 0 ? atMs + Math.ceil(tooEarlyMs / rolloverMs) * rolloverMs : atMs;
}

/** All times that `repairRollover` may return for this one: the same time, or whole rollovers later. */
export function possibleTimes(atMs: number, untilMs: number): number[] {
  const times: number[] = [];
  for (let at = atMs; at <= untilMs; at += rolloverMs) times.push(at);
  return times;
}

/** Whether both may be repairs of one time, by different times of receipt. */
export function areRolloversApart(oneMs: number, otherMs: number): boolean {
  return (oneMs - otherMs) % rolloverMs === 0;
}

/** Different times that are closer cannot be repairs of one time. */
export const minApartMs = rolloverMs;

/** Whether a frame of this time can have a place in the order. */
export function isPossibleTime(recordedAt: number): boolean {
  return recordedAt >= earliestMs;
}

/** When a frame was received; the same frame may arrive several times. */
export interface ReceivedTimes {
  readonly firstAt: number;
  /** The first time of receipt at which the frame was not from the future; null if that is `firstAt` or none. */
  readonly timelyAt: number | null;
}

/**
 * Merges what is known of a frame sent with this time. The order of merging does not matter: a frame is from the future
 * only if it was so at the latest time of receipt.
 */
export function mergeReceivedTimes(sentAt: number, one: ReceivedTimes, other: ReceivedTimes): ReceivedTimes {
  const firstAt = Math.min(one.firstAt, other.firstAt);
  const recordedAt = repairRollover(sentAt, firstAt);
  let timelyAt: number | null = null;
  for (const at of [one.firstAt, one.timelyAt, other.firstAt, other.timelyAt]) {
    if (at !== null && !isAhead(recordedAt, at)) timelyAt = Math.min(timelyAt ?? at, at);
  }
  return { firstAt, timelyAt: timelyAt === firstAt ? null : timelyAt };
}

/** Why a frame has no place in the order of its device; null if it has one. The time is repaired by `firstAt`. */
export function timeProblem(recordedAt: number, { firstAt, timelyAt }: ReceivedTimes): TimeRejectReason | null {
  if (!isPossibleTime(recordedAt)) return "time_invalid";
  if (isAhead(recordedAt, timelyAt ?? firstAt)) return "future_time";
  return recordedAt < firstAt - maxBehindMs ? "too_old" : null;
}

/** A frame received at this moment is from the future if its time is later than this. */
export function latestTimely(receivedAt: number): number {
  return receivedAt + maxAheadMs;
}

function isAhead(recordedAt: number, receivedAt: number): boolean {
  return recordedAt > latestTimely(receivedAt);
}
