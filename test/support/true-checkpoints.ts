import { expect } from "bun:test";
import type { TrackedContext } from "../../src/derive/context.ts";
import { run } from "../../src/derive/run.ts";
import { emptyState, stateAt } from "../../src/derive/state.ts";
import { snapshotOf } from "../../src/domain/fold.ts";
import { compareFrames } from "../../src/domain/frame.ts";
import { rulesVersion } from "../../src/domain/rules.ts";
import type { Database } from "../../src/store/database.ts";
import { checkpointAfter } from "../../src/store/facts/checkpoints.ts";
import { framesAfter } from "../../src/store/frames/frames.ts";

/** Compares each checkpoint of a device with the state that its frames lead to, and gives how many there are. */
export async function expectTrueCheckpointsOf(database: Database, tracked: TrackedContext): Promise<number> {
  const frames = (await framesAfter(database, tracked, null, 100_000)).map(({ frame }) => frame);
  let state = emptyState;
  let count = 0;
  for (let at = 0; ; count++) {
    const checkpoint = await checkpointAfter(database, tracked, at);
    if (checkpoint === null) break;
    expect(JSON.parse(checkpoint.stateJson).rules).toBe(rulesVersion);
    const until = frames.filter(
      (frame) => compareFrames(frame, checkpoint) <= 0 && (!state.place || compareFrames(frame, state.place) > 0),
    );
    state = run(state, until, tracked.derivation).after;
    expect(snapshotOf(stateAt(checkpoint, tracked.derivation).fold)).toEqual(asStored(snapshotOf(state.fold)));
    at = checkpoint.recordedAt;
  }
  return count;
}

/** JSON has no `-0`, which 0.4 m to the west is when rounded. */
function asStored<T>(state: T): T {
  return JSON.parse(JSON.stringify(state));
}
