import type { Frame } from "../frame.ts";
import type { Place } from "../geometry/distance.ts";
import { accepted, acceptedDiscontinuity, type JudgedFrame, type RejectReason } from "../verdict.ts";
import type { Chain } from "./chains.ts";
import { type Foothold, type Footing, firmSupport } from "./footing.ts";
import type { ZeroRun } from "./zero-run.ts";

/**
 * What is known of a device after some of its frames: first come the final ones, then the pending ones. The first pending
 * frame is the anchor, or the first of the few that support it, until so many frames have followed that its verdict is
 * final. From then on it stays valid.
 */
export interface JudgeState extends Footing {
  readonly chains: readonly Chain[];
  readonly rival: Rival | null;
  readonly zeroRun: ZeroRun | null;
  /** Whether the tracker has ever reported a satellite. */
  readonly countsSatellites: boolean;
  readonly pending: readonly PendingFrame[];
}

/**
 * A second track far from the believed one, whose frames alternate with it. Two trackers with one IMEI look like this: no
 * vehicle comes and goes so fast, again and again. The one that drives is the vehicle's; a parked one is not.
 */
export interface Rival {
  /** Of its last frame. */
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Where each of both was when the believed one came to stand, and since when it has stood. */
  readonly from: Place;
  readonly stand: Place;
  readonly since: number;
  /** Since then: how far the other went, without what may be errors, and its frames, counted up to 5. */
  readonly metres: number;
  readonly frames: number;
  /** How often the frames returned to the believed track while one of both stood. Counted up to 5. */
  readonly turns: number;
}

export interface Judgement {
  readonly state: JudgeState;
  /** Frames whose verdict will not change any more, each returned once, in the order of the frames. */
  readonly final: readonly JudgedFrame[];
}

/** A frame whose verdict may still change, or that follows one whose verdict may. */
export interface PendingFrame extends JudgedFrame {
  /** The id of the chain it is in; null if it is in none. */
  readonly chain: number | null;
}

/**
 * How many frames may be pending, including those without a position: as many may come between a bad fix and the frame
 * that shows it. At one frame a second that is four minutes: as long as a cold start searches for satellites, and
 * longer than the minute after which a chain is confirmed. A tracker that sends more often (ten a second) loses the
 * oldest frames of its chain, but is believed as soon.
 */
export const maxPending = 256;

/** If a frame is not believed, neither is its speed. */
export function rejectedFrame(frame: Frame, rejectReason: RejectReason, chain: number | null): PendingFrame {
  return { frame, verdict: { valid: false, rejectReason, discontinuity: false }, speedKmh: null, chain };
}

export function acceptedFrame(frame: Frame, speedKmh: number | null, isDiscontinuity: boolean): PendingFrame {
  return { frame, verdict: isDiscontinuity ? acceptedDiscontinuity : accepted, speedKmh, chain: null };
}

/** Removes the frames from a chain that is dropped. */
export function withoutChain(pending: readonly PendingFrame[], chain: number): readonly PendingFrame[] {
  return without(pending, (entry) => entry.chain === chain);
}

export function withoutChains(pending: readonly PendingFrame[]): readonly PendingFrame[] {
  return without(pending, (entry) => entry.chain !== null);
}

function without(
  pending: readonly PendingFrame[],
  isDropped: (entry: PendingFrame) => boolean,
): readonly PendingFrame[] {
  if (!pending.some(isDropped)) return pending;
  return pending.map((entry) => (isDropped(entry) ? rejectedFrame(entry.frame, "implausible_jump", null) : entry));
}

interface Stand {
  readonly anchor: Foothold | null;
  readonly pending: readonly PendingFrame[];
}

/** How many frames support the anchor and can still be rejected with it; if not all of them can, it is firm. */
export function standSupport({ anchor, pending }: Stand): number {
  if (anchor === null || anchor.support >= firmSupport) return firmSupport;
  const validCount = pending.filter(({ verdict }) => verdict.valid).length;
  return validCount === anchor.support ? anchor.support : firmSupport;
}

/** How many of the first frames are final: those beyond the bound, then all but valid ones and those in a chain. */
export function finalCount(pending: readonly PendingFrame[]): number {
  let count = Math.max(0, pending.length - maxPending);
  for (; count < pending.length; count++) {
    const entry = pending[count];
    if (entry === undefined || entry.verdict.valid || entry.chain !== null) break;
  }
  return count;
}
