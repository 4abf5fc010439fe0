import type { Frame } from "../frame.ts";
import { metresBetween } from "../geometry/distance.ts";
import type { JudgedFrame } from "../verdict.ts";
import { accept, confirm } from "./advance.ts";
import { bestJoin, type Chain, hasLasted, isMajority, withGrown, withOpened } from "./chains.ts";
import { fitsBetter } from "./fit.ts";
import type { Judgement, JudgeState } from "./judge-state.ts";
import { hasPlace, ownProblem } from "./own-verdict.ts";
import { finalCount, type PendingFrame, rejectedFrame, standSupport, withoutChain } from "./pending.ts";
import { reaches } from "./reach.ts";
import { hasOutlasted, type Rival, rivalWith } from "./rival.ts";
import { waypointAfter } from "./waypoint.ts";

export type { Judgement, JudgeState } from "./judge-state.ts";

export const initialJudge: JudgeState = { anchor: null, prev: null, base: null, chains: [], rival: null, pending: [] };

/** The frames that are not final, each with its present verdict. */
export function pendingFrames(state: JudgeState): readonly JudgedFrame[] {
  return state.pending;
}

/** Judges the next frame of a device, in the order of `compareFrames`. Its time must be sound. */
export function judge(state: JudgeState, frame: Frame): Judgement {
  const problem = ownProblem(frame);
  if (problem !== null || !hasPlace(frame)) {
    return wait(state, state.chains, state.rival, [...state.pending, rejectedFrame(frame, problem ?? "no_fix", null)]);
  }
  const { anchor } = state;
  const metres = anchor === null ? 0 : metresBetween(anchor, frame);
  const waypoint = waypointAfter(anchor, frame, metres);
  if (anchor === null) return accept(state, frame, waypoint, metres);

  const best = bestJoin(state.chains, frame);
  const support = standSupport(anchor, state.pending);
  if (reaches(anchor, waypoint, metres)) {
    if (best === null) return accept(state, frame, waypoint, metres);
    const isBetter = fitsBetter(best.leg, { from: anchor, to: waypoint, metres }, state);
    if (hasLasted(best.chain, true) || (isBetter && isMajority(best.chain, support))) {
      return confirm(state, state.pending, best.chain, frame, true);
    }
    if (!isBetter) return accept(state, frame, waypoint, metres);
    const { chains, chain } = withGrown(state.chains, best.chain);
    return wait(state, chains, state.rival, [...state.pending, rejectedFrame(frame, "implausible_jump", chain.id)]);
  }
  const { chains, chain } = best === null ? withOpened(state.chains, frame) : withGrown(state.chains, best.chain);
  const pending = best === null ? withoutChain(state.pending, chain.id) : state.pending;
  const rival = rivalWith(state.rival, frame);
  const hasOutlastedAnchor = rival !== state.rival && hasOutlasted(rival, anchor);
  if (hasLasted(chain, false) || isMajority(chain, support) || hasOutlastedAnchor) {
    return confirm(state, pending, chain, frame, false);
  }
  return wait(state, chains, rival, [...pending, rejectedFrame(frame, "implausible_jump", chain.id)]);
}

/** Leaves the footing unchanged; the last of the frames is a rejected one. */
function wait(
  state: JudgeState,
  chains: readonly Chain[],
  rival: Rival | null,
  frames: readonly PendingFrame[],
): Judgement {
  const count = finalCount(frames);
  const { anchor, prev, base } = state;
  const pending = count === 0 ? frames : frames.slice(count);
  return { state: { anchor, prev, base, chains, rival, pending }, final: count === 0 ? [] : frames.slice(0, count) };
}
