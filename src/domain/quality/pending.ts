import type { Frame } from "../frame.ts";
import { accepted, acceptedDiscontinuity, type JudgedFrame, type RejectReason } from "../verdict.ts";

/** A frame whose verdict may still change, or that waits behind one whose verdict may. */
export interface PendingFrame extends JudgedFrame {
  /** The id of the chain it is in; null if it is in none. */
  readonly chain: number | null;
}

/**
 * How many frames may be pending, those without a position included: so many may come between a bad fix and what shows
 * that it was one. At one frame a second that is four minutes, the search for satellites of a cold start, and more than
 * the minute after which a chain is confirmed. Whatever comes more often (ten a second) loses the oldest frames of its
 * chain, but is believed as soon.
 */
export const maxPending = 256;

/** The speed of a frame that is not believed is not believed either. */
export function rejectedFrame(frame: Frame, rejectReason: RejectReason, chain: number | null): PendingFrame {
  return { frame, verdict: { valid: false, rejectReason, discontinuity: false }, speedKmh: null, chain };
}

export function acceptedFrame(frame: Frame, speedKmh: number | null, isElsewhere: boolean): PendingFrame {
  return { frame, verdict: isElsewhere ? acceptedDiscontinuity : accepted, speedKmh, chain: null };
}

/** Takes frames out of a chain that is given up. */
export function withoutChain(pending: readonly PendingFrame[], chain: number): readonly PendingFrame[] {
  if (!pending.some((entry) => entry.chain === chain)) return pending;
  return pending.map((entry) => (entry.chain === chain ? rejectedFrame(entry.frame, "implausible_jump", null) : entry));
}

/**
 * How many of the first frames are settled: those beyond the bound, as they stand, and after them those whose verdict
 * cannot change. What can change is the anchor, the only valid one among them, and what is in a chain.
 */
export function settledCount(pending: readonly PendingFrame[]): number {
  let count = Math.max(0, pending.length - maxPending);
  for (; count < pending.length; count++) {
    const entry = pending[count];
    if (entry === undefined || entry.verdict.valid || entry.chain !== null) break;
  }
  return count;
}
