import { metresBetween } from "../geometry/distance.ts";
import { type Chain, isMajority } from "./chains.ts";
import { isInDoubt, sticksOut } from "./fit.ts";
import { type Footing, firmSupport, isAnchorSpike, stepAcross, stepBack, stepBackToBase, stepOn } from "./footing.ts";
import {
  acceptedFrame,
  type Judgement,
  type JudgeState,
  type PendingFrame,
  rejectedFrame,
  standSupport,
  withoutChains,
} from "./judge-state.ts";
import { hasPlace, type PlacedFrame } from "./own-verdict.ts";
import { reaches, type Waypoint, waypointAfter } from "./waypoint.ts";
import { withoutStuckSpeed, type ZeroRun, zeroRunAfter } from "./zero-run.ts";

/** All pending frames in their order, while one frame is judged. */
interface Advance {
  footing: Footing;
  zeroRun: ZeroRun | null;
  /** The anchor's index among the frames; -1 if it is final or there is none. */
  anchorIndex: number;
  readonly frames: PendingFrame[];
}

/** Reflections put a fix off by less; a farther jump must have been driven. */
const nearMetres = 500;

/** A fix is late by a few minutes at most. What is farther was not driven in the moment in which it is seen there. */
const lateReachMetres = 20_000;

/** A vehicle that stays within this stands. */
const standingMetres = 50;

/** Accepts a frame that follows from the anchor, or is the first. */
export function accept(state: JudgeState, frame: PlacedFrame, waypoint: Waypoint, metres: number): Judgement {
  const advance = begin(state);
  follow(advance, advance.frames.length, frame, waypoint, metres);
  return end(state, advance);
}

/** Accepts a frame that does not follow from the anchor. */
export function acceptElsewhere(state: JudgeState, frame: PlacedFrame): Judgement {
  const advance = begin(state);
  arrive(advance, advance.frames.length, frame);
  return end(state, advance);
}

/**
 * Accepts the frames of a chain, the last of which is a new one; the others are pending. If the anchor reaches the new
 * one, the vehicle has driven there and its fix was late, so they follow from the anchor. But a vehicle that stands far
 * off has not driven there in that time.
 */
export function confirm(state: JudgeState, chain: Chain, frame: PlacedFrame, isInReach: boolean): Judgement {
  const advance = begin(state);
  const { frames } = advance;
  frames.push(rejectedFrame(frame, "implausible_jump", chain.id));
  const first = frames.find((entry) => entry.chain === chain.id)?.frame;
  const isSpike = first !== undefined && hasPlace(first) && sticksOut(state, first);
  const isRevoked = (isSpike && revokeSpike(advance)) || outvote(advance, chain, state);
  let isFirst = true;
  for (const [index, entry] of frames.entries()) {
    if (entry.chain !== chain.id || !hasPlace(entry.frame)) continue;
    const { anchor } = advance.footing;
    const metres = anchor === null ? 0 : metresBetween(anchor, entry.frame);
    const waypoint = waypointAfter(anchor, entry.frame, metres);
    const isDriven =
      isInReach &&
      (metres <= nearMetres || (metres <= lateReachMetres && metresBetween(entry.frame, frame) > standingMetres));
    const follows = !isFirst || anchor === null || (isRevoked ? reaches(anchor, waypoint, metres) : isDriven);
    if (follows) follow(advance, index, entry.frame, waypoint, metres);
    else arrive(advance, index, entry.frame);
    isFirst = false;
  }
  return end(state, advance);
}

function begin({ anchor, prev, base, zeroRun, pending }: JudgeState): Advance {
  let anchorIndex = pending.length - 1;
  while (anchorIndex >= 0 && !pending[anchorIndex]?.verdict.valid) anchorIndex--;
  // A valid frame after the anchor repeats it: then the anchor is final.
  if (pending[anchorIndex]?.frame.recordedAt !== anchor?.at) anchorIndex = -1;
  return { footing: { anchor, prev, base }, zeroRun, anchorIndex, frames: [...pending] };
}

/** The last frame has been accepted. All before it are final, unless it may yet be outvoted together with those. */
function end({ rival, countsSatellites }: JudgeState, advance: Advance): Judgement {
  const { footing, zeroRun, frames } = advance;
  const { anchor, prev, base } = footing;
  const isFirm = anchor === null || anchor.support >= firmSupport;
  const firstPending = isFirm ? frames.length - 1 : firstOfStand(frames, anchor.support);
  const pending = withoutChains(frames.slice(firstPending));
  frames.length = firstPending;
  const state: JudgeState = { anchor, prev, base, chains: [], rival, zeroRun, countsSatellites, pending };
  return { state, final: frames };
}

/** The index of the first of the frames that support the last one. */
function firstOfStand(frames: readonly PendingFrame[], support: number): number {
  let index = frames.length - 1;
  for (let left = support - 1; left > 0 && index > 0; ) {
    index--;
    if (frames[index]?.verdict.valid) left--;
  }
  return index;
}

/** Rejects the few frames that support the anchor if a chain has more. Returns whether it did. */
function outvote(advance: Advance, chain: Chain, state: JudgeState): boolean {
  if (!isMajority(chain, standSupport(state))) return false;
  const { frames } = advance;
  for (const [index, { frame, verdict }] of frames.entries()) {
    if (verdict.valid) frames[index] = rejectedFrame(frame, "implausible_jump", null);
  }
  advance.footing = stepBackToBase(advance.footing);
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
  let nextMetres = metres;
  if (isAnchorSpike(advance.footing, waypoint, metres) && revokeSpike(advance)) {
    const { anchor } = advance.footing;
    nextMetres = anchor === null ? 0 : metresBetween(anchor, frame);
    next = waypointAfter(anchor, frame, nextMetres);
  }
  advance.zeroRun = zeroRunAfter(advance.zeroRun, advance.footing.anchor, next, frame.speed_kmh, nextMetres);
  next = withoutStuckSpeed(next, advance.zeroRun);
  const { anchor } = advance.footing;
  const isLoose = anchor !== null && isInDoubt({ from: anchor, to: next, metres: nextMetres }, advance.footing);
  advance.footing = stepOn(advance.footing, next, isLoose);
  advance.frames[index] = acceptedFrame(frame, next.speedKmh, false);
  advance.anchorIndex = index;
}

function arrive(advance: Advance, index: number, frame: PlacedFrame): void {
  advance.zeroRun = zeroRunAfter(advance.zeroRun, null, waypointAfter(null, frame, 0), frame.speed_kmh, 0);
  const waypoint = withoutStuckSpeed(waypointAfter(null, frame, 0), advance.zeroRun);
  advance.footing = stepAcross(advance.footing, waypoint);
  advance.frames[index] = acceptedFrame(frame, waypoint.speedKmh, true);
  advance.anchorIndex = index;
}
