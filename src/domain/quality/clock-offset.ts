/**
 * Whether a tracker's clock is wrong, from frames as they come. A live frame is received a moment after it was recorded, so what the
 * clock shows more or less than that stays the same from frame to frame. Frames that were stored on the way do not: they come in
 * another rhythm than they were recorded in, so what they are behind changes.
 */

/** Frames in a row whose times are off by about the same. */
export interface OffsetRun {
  readonly count: number;
  /** How much later than the receipt the times were, at least; and at most, of the first frames and of those after them. */
  readonly leastMs: number;
  readonly mostAtFirstMs: number;
  readonly mostSinceMs: number;
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

/** Those that took least time to arrive say the same at first and later, unless frames come in another rhythm than recorded. */
const framesAtFirst = framesToKnow / 2;
const maxDriftPerSpan = 0.1;
/** Of trackers that send every second, in whole seconds. */
const usualDriftMs = 2_000;

/** The newest frame of a message; `before` is undefined for the first. */
export function nextOffsetRun(before: OffsetRun | undefined, recordedAt: number, receivedAt: number): OffsetRun {
  const offsetMs = recordedAt - receivedAt;
  if (before === undefined) return begun(offsetMs, receivedAt);
  const { count, mostAtFirstMs, mostSinceMs } = before;
  const isAtFirst = count < framesAtFirst;
  const run: OffsetRun = {
    count: count + 1,
    leastMs: Math.min(before.leastMs, offsetMs),
    mostAtFirstMs: isAtFirst ? Math.max(mostAtFirstMs, offsetMs) : mostAtFirstMs,
    mostSinceMs: isAtFirst ? mostSinceMs : Math.max(mostSinceMs, offsetMs),
    fromMs: Math.min(before.fromMs, receivedAt),
    untilMs: Math.max(before.untilMs, receivedAt),
  };
  return mostOf(run) - run.leastMs <= maxSpreadMs ? run : begun(offsetMs, receivedAt);
}

function begun(offsetMs: number, receivedAt: number): OffsetRun {
  return {
    count: 1,
    leastMs: offsetMs,
    mostAtFirstMs: offsetMs,
    mostSinceMs: Number.NEGATIVE_INFINITY,
    fromMs: receivedAt,
    untilMs: receivedAt,
  };
}

function mostOf({ mostAtFirstMs, mostSinceMs }: OffsetRun): number {
  return Math.max(mostAtFirstMs, mostSinceMs);
}

/** How many seconds the clock is ahead, negative if it is slow; 0: it is right; null: that is not known yet. */
export function steadyOffsetS(run: OffsetRun): number | null {
  if (run.count < framesToKnow) return null;
  const driftMs = Math.abs(run.mostSinceMs - run.mostAtFirstMs);
  if (driftMs > Math.max(usualDriftMs, (run.untilMs - run.fromMs) * maxDriftPerSpan)) return null;
  const mostMs = mostOf(run);
  const size = Math.abs(mostMs);
  if (size < leastFaultMs || size > mostFaultMs) return 0;
  return rounded(mostMs / 1000);
}

/** To the quarter hour if the clock is set to another time zone, else to ten seconds. */
function rounded(seconds: number): number {
  const quarters = Math.round(seconds / 900) * 900;
  return Math.abs(quarters - seconds) <= maxSpreadMs / 1000 ? quarters : Math.round(seconds / 10) * 10;
}
