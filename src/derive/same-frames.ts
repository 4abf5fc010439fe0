import { type FramePlace, placeKey } from "../domain/frame.ts";
import { areRolloversApart, mergeReceivedTimes, minApartMs, possibleTimes } from "../domain/quality/clock.ts";
import type { FoldProgress } from "../store/facts/folds.ts";
import type { StoredTimes, TimesWanted } from "../store/frames/frames.ts";
import { type Arrival, receivedTimesOf, withReceivedTimes } from "./arrival.ts";

/**
 * A frame that is sent again is the same frame, whenever it is received. But its time of receipt decides how a GPS week
 * rollover is repaired, so it may be stored at another place. A frame without a time uses its time of receipt instead:
 * it is the same only if that is equal.
 */

/** Equal frames of a device have equal keys. */
export function frameKey({ sentAt, frame }: Arrival): string {
  return sentAt === null ? `- ${placeKey(frame)}` : `${sentAt} ${frame.digest}`;
}

/** Two arrivals of one frame, merged. */
export function mergedArrivals(one: Arrival, other: Arrival): Arrival {
  if (one.sentAt === null) return one;
  const times = mergeReceivedTimes(one.sentAt, receivedTimesOf(one), receivedTimesOf(other));
  return withReceivedTimes(one, times, one.isVouched || other.isVouched);
}

/** Whether they are too close for any two between them to be one frame at two places. */
export function areCloseTogether(first: FramePlace, last: FramePlace): boolean {
  return last.recordedAt - first.recordedAt < minApartMs;
}

/** Whether a frame later than all others of its device may be stored at an earlier place: only a repaired one may. */
export function mayBeStoredEarlier({ sentAt, frame }: Arrival, { head, untimelyUntil }: FoldProgress): boolean {
  if (sentAt === null || sentAt === frame.recordedAt) return false;
  return head !== null || (untimelyUntil !== null && sentAt <= untimelyUntil);
}

/** Where an arrival's frame may be stored, with how far its device is. */
export function timesWanted(device: number, progress: FoldProgress, arrivals: readonly Arrival[]): TimesWanted {
  const { head, untimelyUntil, sealedUntil } = progress;
  const last = Math.max(head?.recordedAt ?? Number.NEGATIVE_INFINITY, untimelyUntil ?? Number.NEGATIVE_INFINITY);
  const times = arrivals.flatMap(({ sentAt, frame }) => possibleTimes(sentAt ?? frame.recordedAt, last));
  return { device, times: new Set(times), sealedUntil, untimelyUntil };
}

/** The rows of an arrival's frame among those of its device: none, one, or several that were taken for different frames. */
export function storedAs({ sentAt, frame }: Arrival, stored: readonly StoredTimes[]): readonly StoredTimes[] {
  return stored.filter(
    ({ recordedAt, digest }) =>
      digest === frame.digest &&
      (sentAt === null ? recordedAt === frame.recordedAt : areRolloversApart(recordedAt, sentAt)),
  );
}

export function mergedWithStored(arrival: Arrival, stored: readonly StoredTimes[]): Arrival {
  const { sentAt } = arrival;
  if (sentAt === null || stored.length === 0) return arrival;
  let times = receivedTimesOf(arrival);
  for (const known of stored) times = mergeReceivedTimes(sentAt, times, known);
  // A frame that is stored with an early time and believed was vouched for. It stays believed when it is sent again.
  const isVouched = arrival.isVouched || stored.some((known) => known.isTimely && known.recordedAt === sentAt);
  return withReceivedTimes(arrival, times, isVouched);
}

/** Whether the one stored row of a frame already has all that the arrival has. */
export function addsNothing({ frame, timelyAt, timeProblem }: Arrival, stored: readonly StoredTimes[]): boolean {
  const [only] = stored;
  if (only === undefined || stored.length > 1) return false;
  if (only.isTimely !== (timeProblem === null)) return false;
  return only.recordedAt === frame.recordedAt && only.firstAt === frame.receivedAt && only.timelyAt === timelyAt;
}
