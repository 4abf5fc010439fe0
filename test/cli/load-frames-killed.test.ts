import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { appendStep } from "../../src/store/facts/fold-revision.ts";
import { sql } from "../../src/store/sql.ts";
import { derivedTables } from "../support/derived-tables.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { fleetText } from "../support/fleet.ts";
import { frameLine } from "../support/frame-lines.ts";
import { killInWrite } from "../support/held-up.ts";
import { alertSettings, devices, fences, people, randomFleet } from "../support/ingest-fleet.ts";
import { randomNumbers, shuffled } from "../support/random-drive.ts";
import { countFrames } from "../support/stored-frames.ts";
import { runCall } from "./outcome.ts";

const framesPerDevice = 1_000;

/** Some of the frames are late, so that it is killed while deriving again, too. */
const frames = shuffled(randomFleet(11, framesPerDevice), randomNumbers(3)).map(frameLine);
const fleet = fleetText([...people, ...devices, ...Object.values(fences), alertSettings, ...frames]);

/** Kills a load in the midst of the second transaction of a device. Tells how many frames it had stored. */
async function cutOff(store: FreshDatabase, file: string): Promise<number> {
  const row = await store.database.get<{ count: number | null }>(sql`
    select max(revision / ${appendStep} + revision % ${appendStep}) as count from device_folds`);
  const condition = `new.revision / ${appendStep} + new.revision % ${appendStep} > ${(row?.count ?? 0) + 1}`;
  await killInWrite(store, ["load", file], { kind: "update", table: "device_folds", condition });
  return countFrames(store.database);
}

onEachEngine("a load of frames that is killed", (engine) => {
  test("goes on when the file is loaded again, to what loading it once gives", async () => {
    const whole = await engine.empty();
    const file = join(whole.directory, "fleet.ndjson");
    await writeFile(file, fleet);
    expect((await runCall(["load", file], whole)).code).toBe(0);
    const expected = await derivedTables(await whole.open());
    expect(expected.frames.length).toBe(frames.length);

    const store = await engine.fresh();
    // On a plain store only: Citus has no triggers on tables that are spread.
    if (store.database.isDistributed) return;
    const stored: number[] = [];
    for (let kill = 0; kill < 3; kill++) stored.push(await cutOff(store, file));
    expect(stored).toEqual(stored.toSorted((one, other) => one - other));
    expect(stored[0]).toBeWithin(1, frames.length);
    expect((await runCall(["load", file], store)).code).toBe(0);
    expect(await derivedTables(store.database)).toEqual(expected);
  });
});
