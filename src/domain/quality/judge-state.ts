import type { JudgedFrame } from "../verdict.ts";
import type { Chain } from "./chains.ts";
import type { Footing } from "./footing.ts";
import type { PendingFrame } from "./pending.ts";
import type { Rival } from "./rival.ts";
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

export interface Judgement {
  readonly state: JudgeState;
  /** Frames whose verdict will not change any more, each returned once, in the order of the frames. */
  readonly final: readonly JudgedFrame[];
}
