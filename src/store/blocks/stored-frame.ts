import { compareFrames, type Frame, placeKey } from "../../domain/frame.ts";
import type { OwnEvidence } from "../../domain/quality/own-verdict.ts";
import type { Verdict } from "../../domain/verdict.ts";

/** A place, and what says whether it is believed. */
export type ReportedPlace = Pick<Frame, "latitude" | "longitude"> & OwnEvidence;

export interface StoredFrame {
  readonly frame: Frame;
  readonly verdict: Verdict;
  /** The time of receipt that made its time believable, if that was not the first; see `ReceivedTimes`. */
  readonly timelyAt?: number | null;
}

/** In order. Of a frame that is in several lists, the last counts; what that does not know of its receipt stays. */
export function mergedFrames(lists: readonly (readonly StoredFrame[])[]): StoredFrame[] {
  const all = lists.flat();
  return isAscending(all) ? all : sorted(lists);
}

function isAscending(frames: readonly StoredFrame[]): boolean {
  return frames.every(
    (stored, index) => index === 0 || compareFrames((frames[index - 1] as StoredFrame).frame, stored.frame) < 0,
  );
}

function sorted(lists: readonly (readonly StoredFrame[])[]): StoredFrame[] {
  const frames = new Map<string, StoredFrame>();
  for (const list of lists) {
    for (const stored of list) {
      const key = placeKey(stored.frame);
      const timelyAt = stored.timelyAt ?? frames.get(key)?.timelyAt ?? null;
      frames.set(key, { ...stored, timelyAt });
    }
  }
  return [...frames.values()].sort((one, other) => compareFrames(one.frame, other.frame));
}
