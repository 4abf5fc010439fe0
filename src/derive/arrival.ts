import type { Frame } from "../domain/frame.ts";
import { type ReceivedTimes, repairRollover, timeProblem } from "../domain/quality/clock.ts";
import type { TimeRejectReason } from "../domain/verdict.ts";

/** A frame with its place in the order, its device not yet recognised. */
export interface Arrival {
  readonly imei: string;
  /** As the tracker sent it; null if it sent none. */
  readonly sentAt: number | null;
  readonly frame: Frame;
  /** As in `ReceivedTimes`. */
  readonly timelyAt: number | null;
  /** Why its time cannot be believed: then it is stored, and nothing is derived from it. */
  readonly timeProblem: TimeRejectReason | null;
}

/** The same frame with these times of receipt, which decide its place and whether its time is believed. */
export function withReceivedTimes(arrival: Arrival, times: ReceivedTimes): Arrival {
  const { sentAt } = arrival;
  if (sentAt === null) return arrival;
  const { firstAt, timelyAt } = times;
  const recordedAt = repairRollover(sentAt, firstAt);
  const frame = { ...arrival.frame, recordedAt, receivedAt: firstAt };
  return { ...arrival, frame, timelyAt, timeProblem: timeProblem(recordedAt, times) };
}

export function receivedTimesOf({ frame, timelyAt }: Arrival): ReceivedTimes {
  return { firstAt: frame.receivedAt, timelyAt };
}
