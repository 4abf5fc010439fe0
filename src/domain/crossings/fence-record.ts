/** What is remembered of a device and one fence. A fence without a record is one that the device is outside of. */
export interface FenceRecord {
  readonly fenceId: string;
  readonly isInside: boolean;
  /** When it came in, if that was seen; null while it is outside. */
  readonly enteredAt: number | null;
  /**
   * The last event reported, so that enter and exit alternate even where a change of sides was not reported. Inside, null
   * means that none ever was; outside, that it was an exit or none.
   */
  readonly told: EventType | null;
  readonly strayed: Strayed | null;
  readonly candidate: Candidate | null;
}

export type EventType = "enter" | "exit";

/** Where it last crossed the edge away from its recorded side, and has not come back since. */
export interface Strayed {
  /** The frame before that. */
  readonly afterAt: number;
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** An event suggested by one frame, which the next one confirms or not. */
export interface Candidate {
  readonly frameAt: number;
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number | null;
  readonly timeUncertaintyMs: number;
}

export const outside = {
  isInside: false,
  enteredAt: null,
  told: null,
  strayed: null,
  candidate: null,
} as const satisfies Omit<FenceRecord, "fenceId">;

/** The record, or null if it says only that the device is outside. */
export function worthStoring(record: FenceRecord): FenceRecord | null {
  const { isInside, told, strayed, candidate } = record;
  return isInside || told !== null || strayed !== null || candidate !== null ? record : null;
}
