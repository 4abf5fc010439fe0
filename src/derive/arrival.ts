import type { Frame } from "../domain/frame.ts";
import { type ReceivedTimes, repairRollover, timeProblem } from "../domain/quality/clock.ts";
import type { TimeRejectReason } from "../domain/verdict.ts";

/** A frame with its place in the order, its device not yet recognised. */
export interface Arrival {
  readonly imei: string;
  /** As the tracker gave it; null if it gave none. */
  readonly sentAt: number | null;
  readonly frame: Frame;
  /** As in `Receipts`. */
  readonly timelyAt: number | null;
  /** Why its time cannot be believed: then it is stored, and nothing is derived from it. */
  readonly timeProblem: TimeRejectReason | null;
}

/** The same frame, with what is known of its receipts: they decide where it stands, and whether its time is believed. */
export function withReceipts(arrival: Arrival, receipts: ReceivedTimes): Arrival {
  const { sentAt } = arrival;
  if (sentAt === null) return arrival;
  const { firstAt, timelyAt } = receipts;
  const recordedAt = repairRollover(sentAt, firstAt);
  const frame = { ...arrival.frame, recordedAt, receivedAt: firstAt };
  return { ...arrival, frame, timelyAt, timeProblem: timeProblem(recordedAt, receipts) };
}

export function receiptsOf({ frame, timelyAt }: Arrival): ReceivedTimes {
  return { firstAt: frame.receivedAt, timelyAt };
}
