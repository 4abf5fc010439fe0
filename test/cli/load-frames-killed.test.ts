import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { derivedTables } from "../support/derived-tables.ts";
import { type EmptyStore, onEachEngine } from "../support/engines.ts";
import { fleetText } from "../support/fleet.ts";
import { frameLine } from "../support/frame-lines.ts";
import { alertSettings, devices, fences, people, randomFleet } from "../support/ingest-fleet.ts";
import { runOdograph, spawnOdograph } from "../support/program.ts";
import { randomNumbers, shuffled } from "../support/random-drive.ts";
import { countFrames } from "../support/stored-frames.ts";

const framesPerDevice = 1_000;

/** Some of the frames are late, so that it is killed while deriving again, too. */
const frames = shuffled(randomFleet(11, framesPerDevice), randomNumbers(3)).map(frameLine);
const fleet = fleetText([...people, ...devices, ...Object.values(fences), alertSettings, ...frames]);

/** Kills a load once it has stored more frames than these. Tells how many it had stored, all if it was too quick. */
async function cutOff(store: EmptyStore, file: string, afterFrames: number): Promise<number> {
  const child = spawnOdograph(["load", file], store);
  const database = await store.open();
  // Asked often, because it is soon over, but not all the time: the load wants the processor, too.
  while (child.exitCode === null && (await countFrames(database)) <= afterFrames) await Bun.sleep(3);
  child.kill("SIGKILL");
  await child.exited;
  return countFrames(database);
}

onEachEngine("a load of frames that is killed", (engine) => {
  test("goes on when the file is loaded again, to what loading it once gives", async () => {
    const whole = await engine.empty();
    const file = join(whole.directory, "fleet.ndjson");
    await writeFile(file, fleet);
    expect((await runOdograph(["load", file], whole)).code).toBe(0);
    const expected = await derivedTables(await whole.open());
    expect(expected.frames.length).toBe(frames.length);

    const store = await engine.empty();
    const stored: number[] = [];
    for (const afterFrames of [0, 1_000]) stored.push(await cutOff(store, file, afterFrames));
    expect(stored.some((count) => count > 0 && count < frames.length)).toBe(true);
    expect((await runOdograph(["load", file], store)).code).toBe(0);
    expect(await derivedTables(await store.open())).toEqual(expected);
  });
});
