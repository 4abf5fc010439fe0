import type { Frame } from "../../../src/domain/frame.ts";
import { metresBetween } from "../../../src/domain/geometry/distance.ts";
import { hasPlace, ownProblem, type PlacedFrame } from "../../../src/domain/quality/own-verdict.ts";
import { reaches } from "../../../src/domain/quality/reach.ts";
import { isSpike } from "../../../src/domain/quality/spike.ts";
import { type Waypoint, waypointAfter } from "../../../src/domain/quality/waypoint.ts";
import { kmh } from "../../../src/domain/sighting.ts";

interface Standing {
  readonly index: number;
  readonly waypoint: Waypoint;
  readonly support: number;
  readonly isElsewhere: boolean;
}

interface Link {
  readonly index: number;
  readonly frame: PlacedFrame;
  readonly waypoint: Waypoint;
}

/**
 * The six rules of the verdict as they are written, and that of a rival, over all frames at once and without a bound: every accepted frame
 * is kept, and a chain keeps its frames.
 */
export function referenceWords(frames: readonly Frame[]): string[] {
  const words: string[] = [];
  const standings: Standing[] = [];
  let chains: Link[][] = [];
  let rival: Link[] = [];
  let isLastOpen = false;

  const revoke = (reason: string) => {
    const gone = standings.pop();
    if (gone !== undefined) words[gone.index] = reason;
    isLastOpen = false;
  };
  const step = (from: Waypoint | undefined, frame: PlacedFrame) => {
    const metres = from === undefined ? 0 : metresBetween(from, frame);
    const waypoint = waypointAfter(from ?? null, frame, metres);
    const isReached = from !== undefined && reaches(from, waypoint, metres);
    return { metres, waypoint, isReached, impliedKmh: from === undefined ? 0 : kmh(metres, waypoint.at - from.at) };
  };
  const accept = (index: number, frame: PlacedFrame, isElsewhere: boolean) => {
    const [before, suspect] = [standings.at(-2), standings.at(-1)];
    const leg = step(suspect?.waypoint, frame);
    if (before && suspect && isLastOpen && !isElsewhere && !suspect.isElsewhere) {
      if (isSpike(before.waypoint, suspect.waypoint, leg.waypoint, leg.metres)) revoke("spike");
    }
    const last = standings.at(-1);
    const { waypoint } = step(isElsewhere ? undefined : last?.waypoint, frame);
    const isLoose = last === undefined || isElsewhere || waypoint.at - last.waypoint.at > 600_000;
    standings.push({ index, waypoint, support: isLoose ? 1 : last.support + 1, isElsewhere });
    words[index] = isElsewhere ? "elsewhere" : "valid";
    isLastOpen = true;
    chains = [];
  };
  const confirm = (chain: readonly Link[]) => {
    const wasAlone = standings.at(-1)?.support === 1;
    if (wasAlone) revoke("implausible_jump");
    for (const [position, { index, frame }] of chain.entries()) {
      const last = standings.at(-1)?.waypoint;
      const follows = position > 0 || last === undefined || (wasAlone && step(last, frame).isReached);
      accept(index, frame, !follows);
    }
  };

  for (const [index, frame] of frames.entries()) {
    const problem = ownProblem(frame);
    if (problem !== null || !hasPlace(frame)) {
      words[index] = problem ?? "no_fix";
      continue;
    }
    const anchor = standings.at(-1);
    const rivalAt = rival.at(-1)?.waypoint.at ?? Number.NEGATIVE_INFINITY;
    const isSamePlace = anchor?.waypoint.latitude === frame.latitude && anchor.waypoint.longitude === frame.longitude;
    const rivalAfter = isSamePlace && rivalAt >= anchor.waypoint.at ? rival : [];
    const fromAnchor = step(anchor?.waypoint, frame);
    const [best] = chains
      .map((chain) => ({ chain, ...step(chain.at(-1)?.waypoint, frame) }))
      .filter(({ isReached }) => isReached)
      .toSorted((one, other) => (one.impliedKmh < other.impliedKmh ? -1 : Number(one.impliedKmh > other.impliedKmh)));
    if (anchor === undefined) {
      accept(index, frame, false);
    } else if (fromAnchor.isReached) {
      const isJoined = best && best.impliedKmh < fromAnchor.impliedKmh / 2 && fromAnchor.metres > 100;
      if (isJoined) confirm([...best.chain, { index, frame, waypoint: best.waypoint }]);
      else accept(index, frame, false);
      rival = isJoined ? [] : rivalAfter;
    } else {
      words[index] = "implausible_jump";
      const grown = [...(best?.chain ?? []), { index, frame, waypoint: (best ?? step(undefined, frame)).waypoint }];
      const spanMs = frame.recordedAt - (grown[0]?.waypoint.at ?? 0);
      const ofRival = step(rival.at(-1)?.waypoint, frame);
      const isRival = rival.length === 0 || ofRival.isReached;
      if (isRival) rival = [...rival, { index, frame, waypoint: ofRival.waypoint }];
      const isConvincing = (anchor.support === 1 && grown.length >= 2) || (grown.length >= 3 && spanMs >= 60_000);
      if (isConvincing || (isRival && outlasts(rival, anchor.waypoint.at))) {
        confirm(grown);
        rival = [];
      } else if (best) chains = chains.map((chain) => (chain === best.chain ? grown : chain));
      else chains = [...withoutStalest(chains), grown];
    }
  }
  return words;
}

/** Whether frames that take turns with an anchor which never stirs have driven on meanwhile. */
function outlasts(rival: readonly Link[], anchorAt: number): boolean {
  const [first, last] = [rival.at(0), rival.at(-1)];
  if (first === undefined || last === undefined || rival.length < 3 || anchorAt <= first.waypoint.at) return false;
  return last.waypoint.at - first.waypoint.at >= 60_000 && metresBetween(first.waypoint, last.waypoint) >= 100;
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
