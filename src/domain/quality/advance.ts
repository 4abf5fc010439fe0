import { metresBetween } from "../geometry/distance.ts";
import type { Chain } from "./chains.ts";
import { type Footing, isAnchorSpike, stepBack, stepElsewhere, stepOn } from "./footing.ts";
import type { Judgement, JudgeState } from "./judge-state.ts";
import { hasPlace, type PlacedFrame } from "./own-verdict.ts";
import { acceptedFrame, type PendingFrame, rejectedFrame } from "./pending.ts";
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

/** Accepts the frames of a chain, the last of which is a new one; the others are pending. */
export function confirm(
  footing: Footing,
  pending: readonly PendingFrame[],
  chain: Chain,
  frame: PlacedFrame,
): Judgement {
  const advance = begin(footing, pending);
  const { frames } = advance;
  frames.push(rejectedFrame(frame, "implausible_jump", chain.id));
  const isThrownOut = throwOutLoneAnchor(advance);
  let isFirst = true;
  for (const [index, entry] of frames.entries()) {
    if (entry.chain !== chain.id || !hasPlace(entry.frame)) continue;
    const { anchor } = advance.footing;
    const metres = anchor === null ? 0 : metresBetween(anchor, entry.frame);
    const waypoint = waypointAfter(anchor, entry.frame, metres);
    const isElsewhere = isFirst && anchor !== null && !(isThrownOut && reaches(anchor, waypoint, metres));
    if (isElsewhere) arrive(advance, index, entry.frame);
    else follow(advance, index, entry.frame, waypoint, metres);
    isFirst = false;
  }
  return end(advance, null);
}

function begin({ anchor, prev }: Footing, pending: readonly PendingFrame[]): Advance {
  return { footing: { anchor, prev }, anchorIndex: pending[0]?.verdict.valid ? 0 : -1, frames: [...pending] };
}

/** The last frame has been accepted, so all before it are final. */
function end({ footing: { anchor, prev }, frames }: Advance, rival: Rival | null): Judgement {
  const pending = frames.slice(-1);
  frames.pop();
  return { state: { anchor, prev, chains: [], rival, pending }, final: frames };
}

/** A lone anchor that a chain contradicts was a bad fix. Returns whether it was one. */
function throwOutLoneAnchor(advance: Advance): boolean {
  return advance.footing.anchor?.isAlone === true && revokeAnchor(advance, "implausible_jump");
}

/** Goes on as if the anchor had never been accepted, unless it is final. */
function revokeAnchor(advance: Advance, reason: "implausible_jump" | "spike"): boolean {
  const entry = advance.frames[advance.anchorIndex];
  if (entry === undefined) return false;
  advance.frames[advance.anchorIndex] = rejectedFrame(entry.frame, reason, null);
  advance.footing = stepBack(advance.footing);
  advance.anchorIndex = -1;
  return true;
}

function follow(advance: Advance, index: number, frame: PlacedFrame, waypoint: Waypoint, metres: number): void {
  let next = waypoint;
  if (isAnchorSpike(advance.footing, waypoint, metres) && revokeAnchor(advance, "spike")) {
    const { anchor } = advance.footing;
    next = waypointAfter(anchor, frame, anchor === null ? 0 : metresBetween(anchor, frame));
  }
  advance.footing = stepOn(advance.footing, next);
  advance.frames[index] = acceptedFrame(frame, next.speedKmh, false);
  advance.anchorIndex = index;
}

function arrive(advance: Advance, index: number, frame: PlacedFrame): void {
  const waypoint = waypointAfter(null, frame, 0);
  advance.footing = stepElsewhere(advance.footing, waypoint);
  advance.frames[index] = acceptedFrame(frame, waypoint.speedKmh, true);
  advance.anchorIndex = index;
}
