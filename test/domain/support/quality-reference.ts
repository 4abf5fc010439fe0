import type { Frame } from "../../../src/domain/frame.ts";
import { metresBetween } from "../../../src/domain/geometry/distance.ts";
import { isFrozen } from "../../../src/domain/motion.ts";
import { fitsBetter, isInDoubt, isOffCourse } from "../../../src/domain/quality/fit.ts";
import { isSpike } from "../../../src/domain/quality/footing.ts";
import { initialJudge } from "../../../src/domain/quality/judge.ts";
import type { Rival } from "../../../src/domain/quality/judge-state.ts";
import { hasPlace, ownProblem, type PlacedFrame } from "../../../src/domain/quality/own-verdict.ts";
import {
  exchanged,
  isOfRival,
  isSharedByTwo,
  isToBelieve,
  rivalAfter,
  withOther,
} from "../../../src/domain/quality/rival.ts";
import { reaches, type Waypoint, waypointAfter, waypointOutOfReach } from "../../../src/domain/quality/waypoint.ts";
import { withoutStuckSpeed, type ZeroRun, zeroRunAfter } from "../../../src/domain/quality/zero-run.ts";
import { kmh } from "../../../src/domain/sighting.ts";

interface Standing extends Waypoint {
  readonly index: number;
  readonly support: number;
  readonly isDiscontinuity: boolean;
}

interface Link {
  readonly index: number;
  readonly frame: PlacedFrame;
  readonly waypoint: Waypoint;
}

/**
 * The rules of the verdict a second time, over all frames at once and without a bound: every accepted frame is kept, and
 * a chain keeps its frames.
 */
export function referenceWords(frames: readonly Frame[]): string[] {
  const words: string[] = [];
  const standings: Standing[] = [];
  /** So many of the first are final. */
  let finals = 0;
  let chains: Link[][] = [];
  let rival: Rival | null = null;
  let zeroRun: ZeroRun | null = null;
  let hasSatellites = false;

  const revoke = (reason: string) => {
    const gone = standings.pop();
    if (gone !== undefined) words[gone.index] = reason;
  };
  const step = (from: Waypoint | undefined, frame: PlacedFrame) => {
    const metres = from === undefined ? 0 : metresBetween(from, frame);
    const to = waypointAfter(from ?? null, frame, metres);
    const isReached = from !== undefined && reaches(from, to, metres);
    return {
      from: from ?? to,
      to,
      metres,
      isReached,
      impliedKmh: from === undefined ? 0 : kmh(metres, to.at - from.at),
    };
  };
  const accept = (index: number, frame: PlacedFrame, isDiscontinuity: boolean, isAfterSpike = false) => {
    const [before, suspect] = [isAfterSpike ? undefined : standings.at(-2), standings.at(-1)];
    let isRevoked = isAfterSpike;
    if (before && suspect && standings.length > finals && !isDiscontinuity && !suspect.isDiscontinuity) {
      const { to, metres } = step(suspect, frame);
      if (isSpike(before, suspect, to, metres)) {
        revoke("spike");
        isRevoked = true;
      }
    }
    const last = standings.at(-1);
    const { to, metres } = step(isDiscontinuity ? undefined : last, frame);
    zeroRun = zeroRunAfter(zeroRun, isDiscontinuity ? null : (last ?? null), to, frame.speed_kmh, metres);
    const prev = isRevoked ? null : (standings.at(-2) ?? null);
    const isDoubted = last !== undefined && isInDoubt({ from: last, to, metres }, { anchor: last, prev, base: null });
    const isLoose = last === undefined || isDiscontinuity || isDoubted || to.at - last.at > 600_000;
    const support = isLoose ? 1 : Math.min(5, last.support + 1);
    standings.push({ ...withoutStuckSpeed(to, zeroRun), index, support, isDiscontinuity });
    words[index] = isDiscontinuity ? "elsewhere" : "valid";
    finals = Math.max(finals, standings.length - (support < 5 ? support : 1));
    chains = [];
  };
  /** How many frames can be outvoted together with the last; 5 if none. */
  const openSupport = () => {
    const support = standings.at(-1)?.support ?? 5;
    return support < 5 && standings.length - finals === support ? support : 5;
  };
  const isMajority = (count: number) => openSupport() < 5 && count > openSupport() && count >= 4;
  /** Whether the last accepted is off the way from the one before it to a frame. */
  const sticksOut = (frame: PlacedFrame | undefined) => {
    const [before, suspect] = [standings.at(-2), standings.at(-1)];
    if (!before || !suspect || !frame || suspect.isDiscontinuity || metresBetween(before, suspect) <= 60) return false;
    const [past, through] = [step(before, frame), step(suspect, frame)];
    return past.isReached && past.impliedKmh < (1 / 3) * through.impliedKmh;
  };
  const confirm = (chain: readonly Link[], isInReach: boolean) => {
    const isSpiked = standings.length > finals && sticksOut(chain[0]?.frame);
    const isOutvoted = !isSpiked && isMajority(chain.length);
    if (isOutvoted) while (standings.length > finals) revoke("implausible_jump");
    if (isSpiked) revoke("spike");
    for (const [position, { index, frame }] of chain.entries()) {
      const { metres, isReached } = step(standings.at(-1), frame);
      const end = chain.at(-1)?.frame ?? frame;
      const isNear = metres <= 500 || (metres <= 20_000 && metresBetween(frame, end) > 50);
      const isDriven = isInReach && isNear;
      const follows = position > 0 || standings.length === 0 || (isOutvoted || isSpiked ? isReached : isDriven);
      accept(index, frame, !follows, (isSpiked || isOutvoted) && position === 0);
    }
  };

  for (const [index, frame] of frames.entries()) {
    hasSatellites ||= (frame.satellites ?? 0) >= 1;
    const problem = ownProblem(frame, hasSatellites);
    if (problem !== null || !hasPlace(frame)) {
      words[index] = problem ?? "no_fix";
      continue;
    }
    const anchor = standings.at(-1);
    if (anchor === undefined) {
      accept(index, frame, false);
      continue;
    }
    const footing = { anchor, prev: standings.at(-2) ?? null, base: null };
    const fromAnchor = step(anchor, frame);
    const before = { ...initialJudge, ...footing, rival };
    if (isSharedByTwo(before) && rival !== null && isOfRival(before, frame, fromAnchor.metres)) {
      rival = withOther(rival, frame);
      words[index] = "implausible_jump";
      if (isToBelieve(before, rival)) {
        accept(index, frame, true);
        rival = exchanged(rival, anchor, frame);
      }
      continue;
    }
    if (anchor.support >= 5 && chains.length === 0 && rival === null && isFrozen(anchor, frame)) {
      words[index] = "valid";
      finals = standings.length;
      continue;
    }
    const [best] = chains
      .map((chain) => ({ chain, ...step(chain.at(-1)?.waypoint, frame) }))
      .filter(({ isReached }) => isReached)
      .toSorted((one, other) => (one.impliedKmh < other.impliedKmh ? -1 : Number(one.impliedKmh > other.impliedKmh)))
      .toSorted((one, other) => Math.min(4, other.chain.length) - Math.min(4, one.chain.length));
    const grown = [...(best?.chain ?? []), { index, frame, waypoint: best?.to ?? waypointOutOfReach(frame) }];
    const spanMs = frame.recordedAt - (grown[0]?.waypoint.at ?? 0);
    const grow = () => {
      words[index] = "implausible_jump";
      if (best) chains = chains.map((chain) => (chain === best.chain ? grown : chain));
      else chains = [...withoutStalest(chains), grown];
    };

    const isTurn = best === undefined && chains.length > 0 && isOffCourse(fromAnchor, footing);
    if (fromAnchor.isReached && !isTurn) {
      const isBetter = best !== undefined && fitsBetter(best, fromAnchor, footing);
      const hasLasted = best !== undefined && grown.length >= 5 && spanMs >= 5000;
      if (hasLasted || (isBetter && isMajority(grown.length))) {
        confirm(grown, true);
      } else if (isBetter) {
        grow();
      } else {
        accept(index, frame, false);
      }
    } else {
      const hasLasted = grown.length >= 5 && spanMs >= 60_000;
      if (hasLasted || isMajority(grown.length)) {
        words[index] = "implausible_jump";
        confirm(grown, false);
      } else {
        grow();
      }
    }
    const after = { ...before, anchor: standings.at(-1) ?? anchor, prev: standings.at(-2) ?? null };
    rival = rivalAfter(before, after, frame);
  }
  return words;
}

function withoutStalest(chains: Link[][]): Link[][] {
  if (chains.length < 3) return chains;
  const lastAt = (chain: Link[]) => chain.at(-1)?.waypoint.at ?? 0;
  const stalest = Math.min(...chains.map(lastAt));
  return chains.toSpliced(
    chains.findIndex((chain) => lastAt(chain) === stalest),
    1,
  );
}
