import type { Frame } from "../domain/frame.ts";
import { type ReceivedTimes, recordedTime, timeProblem } from "../domain/quality/clock.ts";
import type { TimeRejectReason } from "../domain/verdict.ts";

/** A frame with its place in the order, its device not yet recognised. */
export interface Arrival {
  readonly imei: string;
  /** As the tracker sent it; null if it sent none. */
  readonly sentAt: number | null;
  readonly frame: Frame;
  /** As in `ReceivedTimes`. */
  readonly timelyAt: number | null;
  /** Whether the import that brought it, or an earlier one, says that a time as early as this is right. */
  readonly isVouched: boolean;
  /** Why its time cannot be believed: then it is stored, and nothing is derived from it. */
  readonly timeProblem: TimeRejectReason | null;
}

/** The same frame with these times of receipt, which decide its place and whether its time is believed. */
export function withReceivedTimes(arrival: Arrival, times: ReceivedTimes, isVouched: boolean): Arrival {
  const { sentAt } = arrival;
  if (sentAt === null) return arrival;
  const { firstAt, timelyAt } = times;
  const recordedAt = recordedTime(sentAt, times);
  const frame = { ...arrival.frame, recordedAt, receivedAt: firstAt };
  return { ...arrival, frame, timelyAt, isVouched, timeProblem: timeProblem(recordedAt, times, isVouched) };
}

export function receivedTimesOf({ frame, timelyAt }: Arrival): ReceivedTimes {
  return { firstAt: frame.receivedAt, timelyAt };
}
