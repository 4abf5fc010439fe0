import { metresBetween } from "../geometry/distance.ts";
import { type Chain, isMajority } from "./chains.ts";
import { type Footing, firmSupport, isAnchorSpike, stepAcross, stepBack, stepBackToBase, stepOn } from "./footing.ts";
import type { Judgement, JudgeState } from "./judge-state.ts";
import { hasPlace, type PlacedFrame } from "./own-verdict.ts";
import { acceptedFrame, type PendingFrame, rejectedFrame, standSupport, withoutChains } from "./pending.ts";
import { reaches } from "./reach.ts";
import { type Rival, rivalAfter } from "./rival.ts";
import { type Waypoint, waypointAfter } from "./waypoint.ts";

/** All pending frames in their order, while one frame is judged. */
interface Advance {
  footing: Footing;
  /** The anchor's index among the frames; -1 if it is final or there is none. */
  anchorIndex: number;
  readonly frames: PendingFrame[];
}

/** Accepts a frame that follows from the anchor, or is the first. */
export function accept(state: JudgeState, frame: PlacedFrame, waypoint: Waypoint, metres: number): Judgement {
  const advance = begin(state, state.pending);
  const { frames } = advance;
  follow(advance, frames.length, frame, waypoint, metres);
  return end(advance, rivalAfter(state.rival, state.anchor, frame));
}

/**
 * Accepts the frames of a chain, the last of which is a new one; the others are pending. If the anchor reaches the last,
 * the vehicle can have driven there, so they follow from the anchor.
 */
export function confirm(
  footing: Footing,
  pending: readonly PendingFrame[],
  chain: Chain,
  frame: PlacedFrame,
  isInReach: boolean,
): Judgement {
  const advance = begin(footing, pending);
  const { frames } = advance;
  frames.push(rejectedFrame(frame, "implausible_jump", chain.id));
  const isThrownOut = outvote(advance, chain);
  let isFirst = true;
  for (const [index, entry] of frames.entries()) {
    if (entry.chain !== chain.id || !hasPlace(entry.frame)) continue;
    const { anchor } = advance.footing;
    const metres = anchor === null ? 0 : metresBetween(anchor, entry.frame);
    const waypoint = waypointAfter(anchor, entry.frame, metres);
    const follows = !isFirst || anchor === null || (isThrownOut ? reaches(anchor, waypoint, metres) : isInReach);
    if (follows) follow(advance, index, entry.frame, waypoint, metres);
    else arrive(advance, index, entry.frame);
    isFirst = false;
  }
  return end(advance, null);
}

function begin({ anchor, prev, base }: Footing, pending: readonly PendingFrame[]): Advance {
  const anchorIndex = pending.findLastIndex(({ verdict }) => verdict.valid);
  return { footing: { anchor, prev, base }, anchorIndex, frames: [...pending] };
}

/** The last frame has been accepted. All before it are final, unless it may yet be outvoted together with those. */
function end({ footing: { anchor, prev, base }, frames }: Advance, rival: Rival | null): Judgement {
  const firstPending = anchor === null ? frames.length : firstOfStand(frames, anchor.support);
  const pending = withoutChains(frames.slice(firstPending));
  return { state: { anchor, prev, base, chains: [], rival, pending }, final: frames.slice(0, firstPending) };
}

/** The index of the first of the frames that support the last one; if they are enough, of the last one itself. */
function firstOfStand(frames: readonly PendingFrame[], support: number): number {
  let index = frames.length - 1;
  if (support >= firmSupport) return index;
  for (let left = support - 1; left > 0 && index > 0; ) {
    index--;
    if (frames[index]?.verdict.valid) left--;
  }
  return index;
}

/** Rejects the few frames that support the anchor if a chain has more. Returns whether it did. */
function outvote(advance: Advance, chain: Chain): boolean {
  const { frames, footing } = advance;
  if (!isMajority(chain, standSupport(footing.anchor, frames))) return false;
  for (const [index, { frame, verdict }] of frames.entries()) {
    if (verdict.valid) frames[index] = rejectedFrame(frame, "implausible_jump", null);
  }
  advance.footing = stepBackToBase(footing);
  advance.anchorIndex = -1;
  return true;
}

/** Goes on as if the anchor had never been accepted, unless it is final. */
function revokeSpike(advance: Advance): boolean {
  const entry = advance.frames[advance.anchorIndex];
  if (entry === undefined) return false;
  advance.frames[advance.anchorIndex] = rejectedFrame(entry.frame, "spike", null);
  advance.footing = stepBack(advance.footing);
  advance.anchorIndex = -1;
  return true;
}

function follow(advance: Advance, index: number, frame: PlacedFrame, waypoint: Waypoint, metres: number): void {
  let next = waypoint;
  if (isAnchorSpike(advance.footing, waypoint, metres) && revokeSpike(advance)) {
    const { anchor } = advance.footing;
    next = waypointAfter(anchor, frame, anchor === null ? 0 : metresBetween(anchor, frame));
  }
  advance.footing = stepOn(advance.footing, next);
  advance.frames[index] = acceptedFrame(frame, next.speedKmh, false);
  advance.anchorIndex = index;
}

function arrive(advance: Advance, index: number, frame: PlacedFrame): void {
  const waypoint = waypointAfter(null, frame, 0);
  advance.footing = stepAcross(advance.footing, waypoint);
  advance.frames[index] = acceptedFrame(frame, waypoint.speedKmh, true);
  advance.anchorIndex = index;
}
