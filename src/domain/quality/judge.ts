import type { Frame } from "../frame.ts";
import { metresBetween } from "../geometry/distance.ts";
import { kmh } from "../sighting.ts";
import type { JudgedFrame } from "../verdict.ts";
import { accept, confirm } from "./advance.ts";
import { bestJoin, type Chain, isConvincing, withGrown, withOpened } from "./chains.ts";
import type { Judgement, JudgeState } from "./judge-state.ts";
import { hasPlace, ownProblem } from "./own-verdict.ts";
import { finalCount, type PendingFrame, rejectedFrame, withoutChain } from "./pending.ts";
import { reaches } from "./reach.ts";
import { hasOutlasted, type Rival, rivalWith } from "./rival.ts";
import { waypointAfter } from "./waypoint.ts";

export type { Judgement, JudgeState } from "./judge-state.ts";

export const initialJudge: JudgeState = { anchor: null, prev: null, chains: [], rival: null, pending: [] };

/** Where both reach a frame, a chain is preferred only away from the anchor, and at less than half its speed. */
const nearAnchorMetres = 100;
const maxShareOfAnchorSpeed = 0.5;

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
  if (reaches(anchor, waypoint, metres)) {
    const isChainSlower =
      best !== null && best.impliedKmh < maxShareOfAnchorSpeed * kmh(metres, waypoint.at - anchor.at);
    if (isChainSlower && metres > nearAnchorMetres) return confirm(state, state.pending, best.chain, frame);
    return accept(state, frame, waypoint, metres);
  }
  const { chains, chain } = best === null ? withOpened(state.chains, frame) : withGrown(state.chains, best.chain);
  const pending = best === null ? withoutChain(state.pending, chain.id) : state.pending;
  const rival = rivalWith(state.rival, frame);
  const isRivalGrown = rival !== state.rival;
  if (isConvincing(chain, anchor.isAlone) || (isRivalGrown && hasOutlasted(rival, anchor))) {
    return confirm(state, pending, chain, frame);
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
  const { anchor, prev } = state;
  const pending = count === 0 ? frames : frames.slice(count);
  return { state: { anchor, prev, chains, rival, pending }, final: count === 0 ? [] : frames.slice(0, count) };
}
