import { metresBetween } from "../geometry/distance.ts";
import { kmh } from "../sighting.ts";
import type { PossibleLeg } from "./fit.ts";
import { firmSupport } from "./footing.ts";
import type { PlacedFrame } from "./own-verdict.ts";
import { reaches, type Waypoint, waypointAfter, waypointOutOfReach } from "./waypoint.ts";

/** Frames that follow from each other, but not from the anchor: perhaps the vehicle is there by now. */
export interface Chain {
  /** Distinguishes it from the other present chains; reused when it is gone. */
  readonly id: number;
  readonly firstAt: number;
  /** Counted up to 5; more would not matter. */
  readonly frames: number;
  readonly last: Waypoint;
}

/** A frame that joins a chain. */
export interface Join {
  /** With the frame as its last. */
  readonly chain: Chain;
  /** From the last frame before it. */
  readonly leg: PossibleLeg;
  readonly impliedKmh: number;
}

/** A faulty tracker keeps returning to a few places; frames at random places make no chain. */
const maxChains = 3;

/** A place reported this often, this long, is right: reflections rarely last for more than three frames. */
const framesToConvince = 5;
const msToConvince = 60_000;

/** Enough if the anchor can have come there by then. Reflections rarely last for more than three seconds. */
const msToConvinceInReach = 5000;

/** Bad fixes rarely come in more than three at once, so fewer frames than these are no majority. */
const leastMajority = 4;

/** The chain that reaches the frame, with it: the one with the most frames, of those with the lowest implied speed. */
export function bestJoin(chains: readonly Chain[], frame: PlacedFrame): Join | null {
  let best: Join | null = null;
  for (const chain of chains) {
    const metres = metresBetween(chain.last, frame);
    const last = waypointAfter(chain.last, frame, metres);
    if (!reaches(chain.last, last, metres)) continue;
    const { id, firstAt } = chain;
    const join: Join = {
      chain: { id, firstAt, frames: Math.min(framesToConvince, chain.frames + 1), last },
      leg: { from: chain.last, to: last, metres },
      impliedKmh: kmh(metres, last.at - chain.last.at),
    };
    if (best === null || isPreferred(join, best)) best = join;
  }
  return best;
}

function isPreferred(one: Join, other: Join): boolean {
  const moreFrames = one.chain.frames - other.chain.frames;
  return moreFrames > 0 || (moreFrames === 0 && one.impliedKmh < other.impliedKmh);
}

/** Whether a chain has lasted so long that it is believed rather than an anchor with any support. */
export function hasLasted({ frames, firstAt, last }: Chain, isInReach: boolean): boolean {
  return frames >= framesToConvince && last.at - firstAt >= (isInReach ? msToConvinceInReach : msToConvince);
}

/** Whether a chain has more frames than support the anchor, where those are few. */
export function isMajority({ frames }: Chain, support: number): boolean {
  return support < firmSupport && frames > support && frames >= leastMajority;
}

/** Chains, and the one of them that a new frame is in. */
interface ChainsWith {
  readonly chains: readonly Chain[];
  readonly chain: Chain;
}

/** The chain in place of what it was before it grew. */
export function withGrown(chains: readonly Chain[], grown: Chain): ChainsWith {
  return { chains: chains.map((chain) => (chain.id === grown.id ? grown : chain)), chain: grown };
}

/** Opens a chain. Of too many the one that waited longest is replaced: a growing chain outlasts stray frames. */
export function withOpened(chains: readonly Chain[], frame: PlacedFrame): ChainsWith {
  const others = chains.length < maxChains ? chains : chains.filter((chain) => chain !== stalest(chains));
  let id = 0;
  while (others.some((chain) => chain.id === id)) id++;
  const opened: Chain = { id, firstAt: frame.recordedAt, frames: 1, last: waypointOutOfReach(frame) };
  return { chains: [...others, opened], chain: opened };
}

function stalest(chains: readonly Chain[]): Chain | undefined {
  return chains.reduce((oldest, chain) => (chain.last.at < oldest.last.at ? chain : oldest));
}
