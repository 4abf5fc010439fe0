import type { StoredFrame } from "../store/blocks/stored-frame.ts";
import type { Reader } from "../store/database.ts";
import { type FactRow, factsCompleted, rowKey, storedAmong } from "../store/facts/facts.ts";
import { framesAfter } from "../store/frames/frames.ts";
import { type Base, openFrames, stateBefore } from "./base.ts";
import type { TrackedContext } from "./context.ts";
import { finalUntil } from "./state.ts";

/**
 * A device that waits to be derived by newer rules goes on meanwhile from its last checkpoint, converted, so that its live
 * position, trip and alerts do not stand still. Nothing of that lasts: its turn replaces it. For that turn
 * (`upgrade-device.ts`) it must be certain that nobody else writes what comes before this checkpoint.
 */

const framesPerRead = 512;

/** The last checkpoint with what is stored after it. Facts and verdicts of earlier rules are replaced from there on. */
export async function readInterim(reader: Reader, tracked: TrackedContext): Promise<Base> {
  const state = await stateBefore(reader, tracked, null);
  const frames: StoredFrame[] = [...openFrames(state)];
  for (let place = state.place; ; ) {
    const stored = await framesAfter(reader, tracked, place, framesPerRead);
    frames.push(...stored);
    place = stored.at(-1)?.frame ?? place;
    if (stored.length < framesPerRead) break;
  }
  return { state, frames, facts: await factsCompleted(reader, tracked, { from: finalUntil(state), until: null }) };
}

/** Without facts completed before the base: states of the same rules never lead to such, those of others might. */
export async function withoutEarlier(
  reader: Reader,
  base: Base,
  facts: readonly FactRow[],
): Promise<readonly FactRow[]> {
  const known = new Set(base.facts.map(rowKey));
  const added = facts.filter((fact) => !known.has(rowKey(fact)));
  if (added.length === 0) return facts;
  const earlier = new Set(await storedAmong(reader, added));
  return earlier.size === 0 ? facts : facts.filter((fact) => !earlier.has(fact));
}

/** Frames before this moment, and facts completed before it, are the same until the device's turn ends. */
export async function interimFrom(reader: Reader, tracked: TrackedContext): Promise<number> {
  return finalUntil(await stateBefore(reader, tracked, null));
}
