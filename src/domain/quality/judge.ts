import type { Frame } from "../frame.ts";
import { metresBetween } from "../geometry/distance.ts";
import { isFrozen } from "../motion.ts";
import type { JudgedFrame } from "../verdict.ts";
import { accept, acceptElsewhere, confirm } from "./advance.ts";
import { bestJoin, hasLasted, isMajority, type Join, withGrown, withOpened } from "./chains.ts";
import { fitsBetter, isOffCourse, type PossibleLeg } from "./fit.ts";
import { firmSupport } from "./footing.ts";
import {
  acceptedFrame,
  finalCount,
  type Judgement,
  type JudgeState,
  type PendingFrame,
  type Rival,
  rejectedFrame,
  standSupport,
  withoutChain,
} from "./judge-state.ts";
import { countsSatellites, hasPlace, ownProblem, type PlacedFrame } from "./own-verdict.ts";
import { exchanged, isOfRival, isSharedByTwo, isToBelieve, rivalAfter, withOther } from "./rival.ts";
import { reaches, type Waypoint, waypointAfter } from "./waypoint.ts";

export type { Judgement, JudgeState } from "./judge-state.ts";

/** The order of keys is that of every state, so that equal states have equal JSON. */
export const initialJudge: JudgeState = {
  anchor: null,
  prev: null,
  base: null,
  chains: [],
  rival: null,
  zeroRun: null,
  countsSatellites: false,
  pending: [],
};

/** The frames that are not final, each with its present verdict. */
export function pendingFrames(state: JudgeState): readonly JudgedFrame[] {
  return state.pending;
}

/** Judges the next frame of a device, in the order of `compareFrames`. Its time must be sound. */
export function judge(before: JudgeState, frame: Frame): Judgement {
  const state = before.countsSatellites || !countsSatellites(frame) ? before : { ...before, countsSatellites: true };
  const problem = ownProblem(frame, state.countsSatellites);
  if (problem !== null || !hasPlace(frame))
    return wait(state, [...state.pending, rejectedFrame(frame, problem ?? "no_fix", null)]);
  const { anchor } = state;
  const metres = anchor === null ? 0 : metresBetween(anchor, frame);
  const waypoint = waypointAfter(anchor, frame, metres);
  if (anchor === null) return accept(state, frame, waypoint, metres);
  if (isSharedByTwo(state) && isOfRival(state, frame, metres)) return judgeOther(state, frame);
  if (isRepeated(state, frame)) return repeat(state, frame, waypoint);
  const leg: PossibleLeg = { from: anchor, to: waypoint, metres };
  const join = bestJoin(state.chains, frame);
  const judged = isReached(state, leg, join)
    ? judgeInReach(state, frame, leg, join)
    : judgeOutOfReach(state, frame, join);
  const rival = rivalAfter(state, judged.state, frame);
  return rival === judged.state.rival ? judged : { state: { ...judged.state, rival }, final: judged.final };
}

/** A frame of the other of two trackers. It is believed only if that one drives and the believed one stands. */
function judgeOther(state: JudgeState, frame: PlacedFrame): Judgement {
  const { anchor } = state;
  const rival = withOther(state.rival as Rival, frame);
  if (anchor !== null && isToBelieve(state, rival)) {
    const { state: after, final } = acceptElsewhere(state, frame);
    return { state: { ...after, rival: exchanged(rival, anchor, frame) }, final };
  }
  return wait({ ...state, rival }, [...state.pending, rejectedFrame(frame, "implausible_jump", null)]);
}

/** Whether a frame repeats the anchor, at a speed, where nothing else is in doubt. */
function isRepeated({ anchor, chains, rival }: JudgeState, frame: PlacedFrame): boolean {
  if (anchor === null || anchor.support < firmSupport || chains.length > 0 || rival !== null) return false;
  return isFrozen(anchor, frame);
}

/** It shows no new place, so the next frame is measured from when the vehicle was there. */
function repeat(state: JudgeState, frame: PlacedFrame, { speedKmh }: Waypoint): Judgement {
  return { state: { ...state, pending: [acceptedFrame(frame, speedKmh, false)] }, final: state.pending };
}

/** After a frame out of reach, one far off the course is more likely to be bad, too. */
function isReached(state: JudgeState, leg: PossibleLeg, join: Join | null): boolean {
  if (!reaches(leg.from, leg.to, leg.metres)) return false;
  return join !== null || state.chains.length === 0 || !isOffCourse(leg, state);
}

/** The leg is from the anchor. Where a chain explains the frame better, it is believed once it has lasted. */
function judgeInReach(state: JudgeState, frame: PlacedFrame, leg: PossibleLeg, join: Join | null): Judgement {
  if (join === null) return accept(state, frame, leg.to, leg.metres);
  const isBetter = fitsBetter(join.leg, leg, state);
  if (hasLasted(join.chain, true) || (isBetter && isMajority(join.chain, standSupport(state)))) {
    return confirm(state, join.chain, frame, true);
  }
  if (!isBetter) return accept(state, frame, leg.to, leg.metres);
  const { chains } = withGrown(state.chains, join.chain);
  return wait({ ...state, chains }, [...state.pending, rejectedFrame(frame, "implausible_jump", join.chain.id)]);
}

function judgeOutOfReach(before: JudgeState, frame: PlacedFrame, join: Join | null): Judgement {
  const { chains, chain } = join === null ? withOpened(before.chains, frame) : withGrown(before.chains, join.chain);
  const pending = join === null ? withoutChain(before.pending, chain.id) : before.pending;
  const state: JudgeState = { ...before, chains, pending };
  if (hasLasted(chain, false) || isMajority(chain, standSupport(before))) {
    return confirm(state, chain, frame, false);
  }
  return wait(state, [...pending, rejectedFrame(frame, "implausible_jump", chain.id)]);
}

/** Leaves the footing unchanged; the last of the frames is a rejected one. */
function wait(state: JudgeState, frames: readonly PendingFrame[]): Judgement {
  const count = finalCount(frames);
  const pending = count === 0 ? frames : frames.slice(count);
  return { state: { ...state, pending }, final: count === 0 ? [] : frames.slice(0, count) };
}
