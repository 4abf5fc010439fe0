import { dayMs } from "../time/time.ts";
import type { TimeRejectReason } from "../verdict.ts";

/** GPS counts its weeks in ten bits: a receiver that has lost count reports a time this much too early. */
const rolloverMs = 1024 * 7 * dayMs;

/** The weeks have rolled over twice since GPS began, in 1999 and in 2019. */
const mostRollovers = 2;

/** A rolled-over clock runs: its repaired time is about now. Other early times (1970, 2000) are where a clock starts. */
const longestKeptMs = 90 * dayMs;

/** No tracker in use was built before this. An import may name another date. */
export const usualEarliestMs = Date.UTC(2015, 0, 1);

/** A tracker's clock may be ahead of ours a little. */
export const maxAheadMs = 300_000;

/** A tracker's memory does not reach further back; older times come from a wrong clock. */
const maxBehindMs = 400 * dayMs;

/** The time that a tracker meant: one or two rollovers later, if that is within 90 days before the receipt. */
export function repairRollover(sentAt: number, receivedAt: number): number {
  for (let count = 1; count <= mostRollovers; count++) {
    const repaired = sentAt + count * rolloverMs;
    const isRecent = repaired >= receivedAt - longestKeptMs && !isAhead(repaired, receivedAt);
    if (isRecent && isUsualTime(repaired)) return repaired;
  }
  return sentAt;
}

/** All times under which this one may be stored: the same time, or whole rollovers later, as earlier versions repaired it. */
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

/** Whether a frame of this time is believed without anyone vouching for it. */
function isUsualTime(recordedAt: number): boolean {
  return recordedAt >= usualEarliestMs;
}

/** When a frame was received; the same frame may arrive several times. */
export interface ReceivedTimes {
  readonly firstAt: number;
  /** The receipt that its time is judged by: the first to repair a rollover, else not ahead of it. Null: `firstAt`. */
  readonly timelyAt: number | null;
}

/**
 * Merges what is known of a frame sent with this time. The order of merging does not matter. And once a frame is believed,
 * no other receipt changes that: one receipt by a right clock is enough, whatever wrong clocks say. So a frame is from the
 * future only if it was so at every receipt, and not repaired only if no receipt repairs it.
 */
export function mergeReceivedTimes(sentAt: number, one: ReceivedTimes, other: ReceivedTimes): ReceivedTimes {
  const firstAt = Math.min(one.firstAt, other.firstAt);
  let repairingAt: number | null = null;
  let timelyAt: number | null = null;
  for (const at of [one.firstAt, one.timelyAt, other.firstAt, other.timelyAt]) {
    if (at === null) continue;
    if (repairRollover(sentAt, at) !== sentAt) repairingAt = Math.min(repairingAt ?? at, at);
    if (!isAhead(sentAt, at)) timelyAt = Math.min(timelyAt ?? at, at);
  }
  const judgedAt = repairingAt ?? timelyAt;
  return { firstAt, timelyAt: judgedAt === firstAt ? null : judgedAt };
}

/** The time under which a frame is stored. */
export function recordedTime(sentAt: number, { firstAt, timelyAt }: ReceivedTimes): number {
  return repairRollover(sentAt, timelyAt ?? firstAt);
}

/** Why a frame has no place in the order; null if it has one. `isVouched`: an import said that it may be this old. */
export function timeProblem(
  recordedAt: number,
  { firstAt, timelyAt }: ReceivedTimes,
  isVouched: boolean,
): TimeRejectReason | null {
  if (!isUsualTime(recordedAt) && !isVouched) return "time_invalid";
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
