/**
 * Whether a tracker's clock is wrong, from frames as they come. A live frame is received a moment after it was recorded, so what the
 * clock shows more or less than that stays the same from frame to frame. Frames that were stored on the way do not: they come in
 * another rhythm than they were recorded in, so what they are behind changes.
 */

/** Frames in a row whose times are off by about the same. */
export interface OffsetRun {
  readonly count: number;
  /** How much later than the receipt the times were, at least and at most. */
  readonly leastMs: number;
  readonly mostMs: number;
  /** The first and the last receipt. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** So many live frames say what a clock shows. */
export const framesToKnow = 20;

/** A frame takes seconds to arrive, in bad reception almost a minute. */
const maxSpreadMs = 60_000;

/** A clock that is off by less is no fault: some trackers are always a minute or two late. */
const leastFaultMs = 180_000;

/** Beyond this a clock has lost its date. */
const mostFaultMs = 366 * 86_400_000;

/** By receipts that are close together, a steady offset cannot be told from frames that were stored and are sent in a row. */
const spreadPerSpan = 0.2;
/** Of trackers that send every second or more often, in whole seconds. */
const usualSpreadMs = 2_000;

/** The newest frame of a message; `before` is undefined for the first. */
export function nextOffsetRun(before: OffsetRun | undefined, recordedAt: number, receivedAt: number): OffsetRun {
  const offsetMs = recordedAt - receivedAt;
  if (before !== undefined) {
    const leastMs = Math.min(before.leastMs, offsetMs);
    const mostMs = Math.max(before.mostMs, offsetMs);
    if (mostMs - leastMs <= maxSpreadMs) {
      const fromMs = Math.min(before.fromMs, receivedAt);
      return { count: before.count + 1, leastMs, mostMs, fromMs, untilMs: Math.max(before.untilMs, receivedAt) };
    }
  }
  return { count: 1, leastMs: offsetMs, mostMs: offsetMs, fromMs: receivedAt, untilMs: receivedAt };
}

/** How many seconds the clock is ahead, negative if it is slow; 0: it is right; null: that is not known yet. */
export function steadyOffsetS({ count, leastMs, mostMs, fromMs, untilMs }: OffsetRun): number | null {
  const isSteady = mostMs - leastMs <= Math.max(usualSpreadMs, (untilMs - fromMs) * spreadPerSpan);
  if (count < framesToKnow || !isSteady) return null;
  // The frame that took least time to arrive says it best.
  const size = Math.abs(mostMs);
  if (size < leastFaultMs || size > mostFaultMs) return 0;
  return rounded(mostMs / 1000);
}

/** Somebody set the clock to another time zone, or it is off by something else: then to ten seconds. */
function rounded(seconds: number): number {
  const quarters = Math.round(seconds / 900) * 900;
  return Math.abs(quarters - seconds) <= maxSpreadMs / 1000 ? quarters : Math.round(seconds / 10) * 10;
}
