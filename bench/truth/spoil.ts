import type { Random } from "../../src/simulator/random.ts";
import { type Moment, moved, type Track } from "./track.ts";

const jitteryFromMs = 15_000;

/**
 * What a tracker with this step sends of it; `phaseMs` is the first moment it may send. With random numbers a sparse
 * tracker is up to some seconds early or late, as real ones are.
 */
export function thinned(track: Track, stepMs: number, phaseMs = 0, random?: Random): Moment[] {
  const jitter = () => (random === undefined || stepMs < jitteryFromMs ? 0 : 1000 * random.whole(-2, 4));
  let late = 0;
  const kept: Moment[] = [];
  let next = (track[0]?.at ?? 0) + phaseMs;
  for (const moment of track) {
    if (moment.at < next + late) continue;
    late = jitter();
    kept.push(moment);
    // A tracker keeps its beat; only after a silence it begins anew.
    next = moment.at - next >= stepMs ? moment.at + stepMs : next + stepMs;
  }
  return kept;
}

/** Without the moments between two times. */
export function silent(track: Track, from: number, until: number): Moment[] {
  return track.filter(({ at }) => at < from || at >= until);
}

export interface Excursions {
  readonly metres: number;
  readonly frames: number;
  /** Whether the reported speed goes along with the way out; otherwise it stays what it was. */
  readonly isSpeedPlausible: boolean;
  /** Whether each frame is off to a side of its own; otherwise all to the same. */
  readonly isScattered: boolean;
  /** So many frames are lost before it. */
  readonly lostBefore?: number;
}

/** So many good frames on either side belong to the same drive. */
const goodBeside = 4;
const sameDriveMs = 100_000;

/** Puts a few frames in every 40 to 80 off the track. */
export function withExcursions(track: Track, random: Random, how: Excursions) {
  const { metres, frames, isSpeedPlausible, isScattered, lostBefore = 0 } = how;
  const bad = new Set<number>();
  const lost = new Set<number>();
  const spoiled = [...track];
  for (let index = random.whole(20, 60); index + frames < track.length; index += random.whole(40, 80)) {
    const span = (track[index + frames + goodBeside]?.at ?? Infinity) - (track[index - goodBeside]?.at ?? 0);
    if (span > (frames + 2 * goodBeside) * 10_000 + sameDriveMs) continue;
    for (let before = 1; before <= lostBefore; before++) lost.add(index - before);
    let angle = random.between(0, 2 * Math.PI);
    for (let frame = index; frame < index + frames; frame++) {
      const moment = spoiled[frame] as Moment;
      if (isScattered) angle += random.between(1, 5);
      const kmh = isSpeedPlausible && moment.kmh !== null ? Math.min(160, moment.kmh + 40) : moment.kmh;
      spoiled[frame] = { ...moved(moment, metres * Math.sin(angle), metres * Math.cos(angle)), kmh };
      bad.add(frame);
    }
  }
  return { track: spoiled, bad, lost };
}
