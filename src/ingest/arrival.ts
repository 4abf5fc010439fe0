import type { Frame } from "../domain/frame.ts";
import { repairRollover, timeProblem } from "../domain/quality/clock.ts";
import type { TimeRejectReason } from "../domain/verdict.ts";
import { frameDigest } from "./frame-digest.ts";
import type { IncomingFrame } from "./incoming-frame.ts";

/** A frame with its place in the order, its device not yet recognised. */
export interface Arrival {
  readonly imei: string;
  readonly frame: Frame;
  /** Why its time cannot be believed: then it is stored, and nothing is derived from it. */
  readonly timeProblem: TimeRejectReason | null;
}

export function arrivalOf(incoming: IncomingFrame): Arrival {
  const { imei, recordedAt: sentAt, receivedAt, ...content } = incoming;
  // It has to stand somewhere: a frame without a time is kept under the moment it came.
  const recordedAt = sentAt === null ? receivedAt : repairRollover(sentAt, receivedAt);
  return {
    imei,
    frame: { ...content, recordedAt, receivedAt, digest: frameDigest(incoming) },
    timeProblem: sentAt === null ? "time_invalid" : timeProblem(recordedAt, receivedAt),
  };
}
