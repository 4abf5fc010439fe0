import { expect, test } from "bun:test";
import { devicesWithFrames } from "../../src/store/facts/fleet-days.ts";
import { onEachEngine } from "../support/engines.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { Seed, type SeededDevice } from "../support/seed.ts";
import { noon } from "../support/seed-rows.ts";

const hourMs = 3_600_000;
const days = 10;
const runs = 200;
const seedNumber = announcedSeed("frames of a window");

onEachEngine("the devices that have frames of a window", (engine) => {
  test("are those that a frame of a believed time was recorded of, whatever blocks span", async () => {
    const random = randomNumbers(seedNumber);
    const below = (limit: number) => Math.floor(random() * limit);
    const { database } = await engine.fresh();
    const seed = new Seed();
    const account = seed.account();
    const owner = seed.user(account, { role: "owner" });
    const anna = seed.user(account);
    const times = new Map<SeededDevice, number[]>();
    const devices = Array.from({ length: 25 }, (_, index) =>
      seed.device(account, { seenBy: index % 2 === 0 ? [anna] : [] }),
    );
    for (const device of devices) {
      const own: number[] = [];
      // It reports for a while, then it is silent for hours.
      for (let at = below(2 * days * 24); at < days * 24; at += 1 + below(40)) {
        for (let count = below(12); count >= 0; count--) {
          const recorded_at = noon + at * hourMs + count * 60_000;
          const isUntimely = below(4) === 0;
          seed.frame(device, { recorded_at, ...(isUntimely ? { valid: false, reject_reason: "future_time" } : {}) });
          if (!isUntimely) own.push(recorded_at);
        }
      }
      times.set(device, own);
    }
    await seed.save(database);
    let heard = 0;
    for (let run = 0; run < runs; run++) {
      const fromMs = noon + below(days * 24 * 60) * 60_000;
      const toMs = fromMs + (1 + below(run % 2 === 0 ? 180 : 48 * 60)) * 60_000;
      const viewer = run % 3 === 0 ? anna : owner;
      const expected = devices
        .filter((_, index) => viewer === owner || index % 2 === 0)
        .filter((device) => times.get(device)?.some((at) => at >= fromMs && at < toMs))
        .map(({ device }) => device);
      const numbers = devices.map(({ device }) => device);
      const found = await devicesWithFrames(database, viewer.visibility, numbers, { fromMs, toMs });
      expect([run, [...found].toSorted()]).toEqual([run, expected.toSorted()]);
      heard += expected.length;
    }
    expect(heard).toBeGreaterThan(runs);
  });
});
