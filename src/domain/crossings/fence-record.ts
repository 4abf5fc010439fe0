import type { CrossingFact } from "../facts.ts";

/** What is remembered of a device and one fence. A fence without a record is one that the device is outside of. */
export interface FenceRecord {
  readonly fenceId: string;
  readonly isInside: boolean;
  /** When it came in, if that was seen; null while it is outside. */
  readonly enteredAt: number | null;
  /** When the last of the frames that showed it was received; null if it was not seen. */
  readonly entryKnownAt: number | null;
  /** So that enter and exit alternate. Null inside: none was ever reported; outside: an exit or none. */
  readonly lastReported: EventType | null;
  readonly strayed: EdgeMoment | null;
  readonly candidate: Candidate | null;
  /** Outside only: where it went out again. It has been in the buffer since, so the visit may still go on. */
  readonly left: Left | null;
}

export type EventType = "enter" | "exit";

/** Where it crossed the edge. As `strayed`: away from its recorded side, and it has not come back since. */
export interface EdgeMoment {
  /** The frame before that. */
  readonly afterAt: number;
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  /** When the later of the two frames was received: either may have come late. */
  readonly receivedAt: number;
}

export interface Left extends EdgeMoment {
  /** Of the first frame outside, as is the accuracy. */
  readonly speedKmh: number | null;
  readonly accuracyM: number | null;
}

/** An event suggested by one frame, which later ones confirm or not. */
export interface Candidate {
  readonly frameAt: number;
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number | null;
  readonly timeUncertaintyMs: number;
  /** When the last of the frames that suggest it was received. */
  readonly receivedAt: number;
}

export const outside = {
  isInside: false,
  enteredAt: null,
  entryKnownAt: null,
  lastReported: null,
  strayed: null,
  candidate: null,
  left: null,
} as const satisfies Omit<FenceRecord, "fenceId">;

/** The record, or null if it says only that the device is outside. */
export function worthStoring(record: FenceRecord): FenceRecord | null {
  const { isInside, lastReported, strayed, candidate } = record;
  return isInside || lastReported !== null || strayed !== null || candidate !== null ? record : null;
}

/** What is known of a fence after a frame, and the events that the frame completed. */
export interface FenceStep<Known extends FenceRecord | null = FenceRecord | null> {
  readonly record: Known;
  readonly events: readonly CrossingFact[];
}
