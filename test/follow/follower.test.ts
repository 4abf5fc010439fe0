import { test } from "bun:test";
import { onEachEngine } from "../support/engines.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { Script } from "./script.ts";

const seed = announcedSeed("followers");
/** For longer runs: `ODOGRAPH_FOLLOW_ROUNDS=300 ODOGRAPH_FOLLOW_RUNS=20 npm test -- test/follow/follower`. */
const rounds = Number(process.env.ODOGRAPH_FOLLOW_ROUNDS ?? 30);
const runs = Number(process.env.ODOGRAPH_FOLLOW_RUNS ?? 1);
const framesPerRound = 2;

onEachEngine("a follower that polls at random moments", (engine) => {
  for (let run = 0; run < runs; run++) {
    test(`ends with exactly what the lists show (${run})`, async () => {
      const script = await Script.begin(engine, { seed: seed + run, rounds, framesPerDay: rounds * framesPerRound });
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
