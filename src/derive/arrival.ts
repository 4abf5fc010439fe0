import type { Frame } from "../domain/frame.ts";
import { type ReceivedTimes, recordedTime, timeProblem } from "../domain/quality/clock.ts";
import type { TrackerClock } from "../domain/time/tracker-clock.ts";
import type { TimeRejectReason } from "../domain/verdict.ts";
import { giveDigest } from "../store/blocks/frame-digest.ts";

/** A frame with its place in the order, its device not yet recognised. */
export interface Arrival {
  readonly imei: string;
  /** As the tracker sent it, by its clock if the device has one; null if it sent none. */
  readonly sentAt: number | null;
  readonly frame: Frame;
  /** As in `ReceivedTimes`. */
  readonly timelyAt: number | null;
  /** Whether the import that brought it, or an earlier one, says that a time as early as this is right. */
  readonly isVouched: boolean;
  /** The time is UTC whatever the tracker's clock shows: it is of a file, or it is our own, of a message that has none. */
  readonly isUtc: boolean;
  /** An alarm with the time of its receipt: with the same digest within a day, it is the same alarm. */
  readonly mayRepeat: boolean;
  /** Why its time cannot be believed: then it is stored, and nothing is derived from it. */
  readonly timeProblem: TimeRejectReason | null;
}

/**
 * The same frame as if the tracker had sent UTC: nothing later knows of its clock. Sent again, it is a duplicate of itself, but not
 * of what was stored with the time that the clock showed.
 */
export function byTrackerClock(arrival: Arrival, clock: TrackerClock): Arrival {
  const { sentAt: shownAt, isUtc, isVouched } = arrival;
  if (shownAt === null || isUtc) return arrival;
  const { receivedAt } = arrival.frame;
  const sentAt = clock.utcOf(shownAt, receivedAt);
  const frame = { ...arrival.frame };
  giveDigest(frame, sentAt);
  return withReceivedTimes({ ...arrival, sentAt, frame }, { firstAt: receivedAt, timelyAt: null }, isVouched);
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
