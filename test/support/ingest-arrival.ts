import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { shuffled } from "./random-drive.ts";

type Batches = readonly (readonly IncomingFrame[])[];

const dayMs = 86_400_000;

/**
 * Ways in which the same frames may reach the server. Each gives batches in the order in which they come; all frames are
 * among them, some of them more than once.
 */
export const arrivals: Readonly<Record<string, (frames: readonly IncomingFrame[], random: () => number) => Batches>> = {
  "in order, the last ones one at a time": (frames) => {
    const all = inOrder(frames);
    return [all.slice(0, -60), ...all.slice(-60).map((frame) => [frame])];
  },
  "in order, in random batches": (frames, random) => batched(inOrder(frames), random, 40),
  "in random order": (frames, random) => batched(shuffled(frames, random), random, 120),
  "in random order, all at once": (frames, random) => [shuffled(frames, random)],
  backwards: (frames, random) => batched(inOrder(frames).reverse(), random, 90),
  "twice and three times": (frames, random) => {
    const again = frames.filter(() => random() < 0.3);
    return batched(shuffled([...frames, ...again, ...again.filter(() => random() < 0.2)], random), random, 120);
  },
  "again after a later receipt": (frames, random) => {
    const copies = frames.filter(() => random() < 0.2).map((frame) => receivedLater(frame, random));
    return batched(shuffled([...frames, ...copies], random), random, 120);
  },
  "a tenth of them late by days": (frames, random) => {
    const late = new Set(frames.filter(() => random() < 0.1));
    return [
      ...batched(
        inOrder(frames).filter((frame) => !late.has(frame)),
        random,
        80,
      ),
      ...batched(shuffled([...late], random), random, 30),
    ];
  },
  "over several connections, some a moment late": (frames, random) =>
    overtaking(batched(inOrder(frames), random, 12), random),
  "live, with bursts of what a tunnel held up": (frames, random) => {
    const live: IncomingFrame[] = [];
    const held: IncomingFrame[] = [];
    let isInTunnel = false;
    for (const frame of inOrder(frames)) {
      if (random() < 0.03) isInTunnel = !isInTunnel;
      if (isInTunnel && random() < 0.8) held.push(frame);
      else live.push(frame, ...(isInTunnel ? [] : held.splice(0)));
    }
    return batched([...live, ...held], random, 15);
  },
};

/** Each batch may be overtaken by the two after it. */
export function overtaking(batches: Batches, random: () => number): Batches {
  const places = batches.map((batch, index) => ({ batch, at: index + random() * 3 }));
  return places.toSorted((one, other) => one.at - other.at).map(({ batch }) => batch);
}

/** By time, the devices mixed, as a gateway sends them. */
export function inOrder(frames: readonly IncomingFrame[]): IncomingFrame[] {
  return frames.toSorted((one, other) => (one.recordedAt ?? 0) - (other.recordedAt ?? 0));
}

/** Cut into batches of one to `most`. */
export function batched(frames: readonly IncomingFrame[], random: () => number, most: number): IncomingFrame[][] {
  const batches: IncomingFrame[][] = [];
  for (let begin = 0; begin < frames.length; ) {
    const end = begin + 1 + Math.floor(random() * most);
    batches.push(frames.slice(begin, end));
    begin = end;
  }
  return batches;
}

/** The same content, received again: what counts is the first receipt. */
function receivedLater(frame: IncomingFrame, random: () => number): IncomingFrame {
  return { ...frame, receivedAt: frame.receivedAt + 1 + Math.floor(random() * 3 * dayMs) };
}
