import { test } from "bun:test";
import { onEachEngine } from "../support/engines.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { rounds } from "../support/rounds.ts";
import { Script } from "./script.ts";

const seed = announcedSeed("followers");
/** For longer runs: `ODOGRAPH_FOLLOW_ROUNDS=300 ODOGRAPH_FOLLOW_RUNS=20 npm test -- test/follow/follower`. */
const length = Number(process.env.ODOGRAPH_FOLLOW_ROUNDS ?? rounds(8, 60));
const runs = Number(process.env.ODOGRAPH_FOLLOW_RUNS ?? rounds(1, 3));
const framesPerDay = rounds(20, 120);

onEachEngine("a follower that polls at random moments", (engine) => {
  for (let run = 0; run < runs; run++) {
    test(`ends with exactly what the lists show (${run})`, async () => {
      const script = await Script.begin(engine, {
        seed: seed + run,
        rounds: length,
        framesPerDay,
      });
      try {
        await script.play();
        await script.compare();
        await script.compareTokens();
        console.log(`seed ${seed + run} on ${engine.name}: ${script.summary()}`);
      } catch (error) {
        console.log(`seed ${seed + run} on ${engine.name}: ${script.done.join("; ")}`);
        throw error;
      } finally {
        await script.end();
      }
    });
  }
});
