import { type FramePlace, placeKey } from "../domain/frame.ts";
import {
  areRolloversApart,
  isPossibleTime,
  mergeReceivedTimes,
  minApartMs,
  possibleTimes,
} from "../domain/quality/clock.ts";
import type { Reader } from "../store/database.ts";
import type { FoldProgress } from "../store/folds.ts";
import { type DeviceKey, receiptsAt, type StoredReceipts } from "../store/frames.ts";
import { type Arrival, receiptsOf, withReceipts } from "./arrival.ts";

/**
 * A frame that comes again is the same frame, whenever it is received. But by its receipts a GPS week that rolled over may
 * be repaired differently, so that it stood at another place before. A frame without a time has its receipt for one: it is
 * the same only if that is.
 */

/** The same of a device is the same text. */
export function frameKey({ sentAt, frame }: Arrival): string {
  return sentAt === null ? `- ${placeKey(frame)}` : `${sentAt} ${frame.digest}`;
}

/** Two arrivals of one frame as one. */
export function joined(one: Arrival, other: Arrival): Arrival {
  if (one.sentAt === null) return one;
  return withReceipts(one, mergeReceivedTimes(one.sentAt, receiptsOf(one), receiptsOf(other)));
}

/** Whether no two in ascending order are so far apart that they may be one frame at two places. */
export function areCloseTogether(first: FramePlace, last: FramePlace): boolean {
  return last.recordedAt - first.recordedAt < minApartMs;
}

/**
 * Whether a frame that is later than all of its device's may be stored at an earlier place, by what is known of those. Of
 * the places before its own almost all are before any tracker was built.
 */
export function mayStandEarlier({ sentAt, frame }: Arrival, { head, untimelyUntil }: FoldProgress): boolean {
  if (sentAt === null || sentAt === frame.recordedAt) return false;
  return possibleTimes(sentAt, frame.recordedAt - 1).some(
    (at) => (head !== null && isPossibleTime(at)) || (untimelyUntil !== null && at <= untimelyUntil),
  );
}

/** Tells of an arrival what is stored of the same frame: nothing, or a row, or several where they were taken for different ones. */
export async function storedAlready(
  reader: Reader,
  key: DeviceKey,
  { head, untimelyUntil }: FoldProgress,
  arrivals: readonly Arrival[],
): Promise<(arrival: Arrival) => readonly StoredReceipts[]> {
  const last = Math.max(head?.recordedAt ?? Number.NEGATIVE_INFINITY, untimelyUntil ?? Number.NEGATIVE_INFINITY);
  const times = arrivals.flatMap(({ sentAt, frame }) => possibleTimes(sentAt ?? frame.recordedAt, last));
  const byDigest = Map.groupBy(await receiptsAt(reader, key, times), ({ digest }) => digest);
  return ({ sentAt, frame }) =>
    (byDigest.get(frame.digest) ?? []).filter(({ recordedAt }) =>
      sentAt === null ? recordedAt === frame.recordedAt : areRolloversApart(recordedAt, sentAt),
    );
}

/** The arrival with what the store knows of its receipts. */
export function joinedToStored(arrival: Arrival, stored: readonly StoredReceipts[]): Arrival {
  const { sentAt } = arrival;
  if (sentAt === null || stored.length === 0) return arrival;
  let receipts = receiptsOf(arrival);
  for (const known of stored) receipts = mergeReceivedTimes(sentAt, receipts, known);
  return withReceipts(arrival, receipts);
}

/** Whether the one row that is stored of a frame says all that the arrival says. */
export function saysNothingNew({ frame, timelyAt }: Arrival, stored: readonly StoredReceipts[]): boolean {
  const [only] = stored;
  if (only === undefined || stored.length > 1) return false;
  return only.recordedAt === frame.recordedAt && only.firstAt === frame.receivedAt && only.timelyAt === timelyAt;
}
