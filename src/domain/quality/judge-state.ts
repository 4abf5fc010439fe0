import type { JudgedFrame } from "../verdict.ts";
import type { Chain } from "./chains.ts";
import type { Footing } from "./footing.ts";
import type { PendingFrame } from "./pending.ts";
import type { Rival } from "./rival.ts";

/**
 * What is known of a device after some of its frames. All that went in are the settled ones, then the pending ones. The
 * anchor is the first of these, until so many frames have come after it that it is settled as it stands: then it stays
 * valid for ever, neither a spike nor thrown out, and what a chain confirms after it is a discontinuity.
 */
export interface JudgeState extends Footing {
  readonly chains: readonly Chain[];
  readonly rival: Rival | null;
  readonly pending: readonly PendingFrame[];
}

export interface Judgement {
  readonly state: JudgeState;
  /** Frames whose verdict will not change any more, each given out once, in the order of the frames. */
  readonly settled: readonly JudgedFrame[];
}
