import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Database } from "../../src/store/database.ts";
import { devicesWithFrames } from "../../src/store/facts/fleet-days.ts";
import { type EngineUnderTest, onEachEngine } from "../support/engines.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import {
  compareKeys,
  everyPage,
  type Plain,
  plain,
  type Seeded,
  type TimeList,
  timeLists,
} from "../support/read-lists.ts";
import type { SeededUser } from "../support/seed.ts";
import { Seed, type SeededDevice } from "../support/seed.ts";
import { newFleet, type SeededFleet } from "../support/seed-fleet.ts";
import { noon } from "../support/seed-rows.ts";

const stepMs = 600_000;
const steps = 40;
/** Lists of what has a beginning and an end. */
const lasting = ["trips", "stops"];

interface Scene {
  readonly database: Database;
  readonly fleet: SeededFleet;
  readonly rows: ReadonlyMap<TimeList, readonly Seeded[]>;
  readonly sees: ReadonlyMap<SeededUser, readonly SeededDevice[]>;
}

/** Many rows on few moments, so that there are ties within a device and between devices, and rows of another account. */
async function scene(engine: EngineUnderTest): Promise<Scene> {
  const { database } = await engine.fresh();
  const fleet = newFleet();
  const { seed, van, truck, car, trailer, otherVan, owner, anna, ben, otherOwner } = fleet;
  const fence = seed.geofence(fleet.acme);
  const foreignFence = seed.geofence(fleet.other);
  const rows = new Map<TimeList, Seeded[]>();
  const random = randomNumbers(20_260_615);
  for (const list of timeLists) {
    const stored: Seeded[] = [];
    for (const device of [van, truck, car, trailer, otherVan]) {
      const ofDevice: Plain[] = lasting.includes(list.name) ? rowsThatLast(list.name, fleet, device, random) : [];
      for (let index = 0; index < 25 && !lasting.includes(list.name); index++) {
        const at = noon + Math.floor(random() * steps) * stepMs;
        ofDevice.push(list.add(seed, device, at, device === otherVan ? foreignFence : fence));
      }
      stored.push(...ofDevice.map((row) => ({ device, row })));
    }
    rows.set(list, stored);
  }
  await seed.save(database);
  const sees = new Map([
    [owner, [van, truck, car, trailer]],
    [anna, [van, truck]],
    [ben, [truck, car]],
    [otherOwner, [otherVan]],
  ]);
  return { database, fleet, rows, sees };
}

/** One after the other, from minutes to weeks long, the last one still in progress. */
function rowsThatLast(name: string, { seed }: SeededFleet, device: SeededDevice, random: () => number) {
  const add = (times: { started_at: number; ended_at: number | null }): Plain =>
    name === "trips" ? { ...seed.trip(device, times) } : { ...seed.stop(device, times) };
  const rows: Plain[] = [];
  let at = noon - 900 * stepMs * random();
  while (at < noon + steps * stepMs) {
    const started_at = Math.floor(at / stepMs) * stepMs;
    const ended_at = started_at + stepMs * (1 + Math.floor(10 ** (random() * 3.3)));
    rows.push(add({ started_at, ended_at }));
    at = ended_at + stepMs * Math.floor(random() * 4);
  }
  rows.push(add({ started_at: at, ended_at: null }));
  return rows;
}

function expected(
  scene: Scene,
  list: TimeList,
  viewer: SeededUser,
  device: SeededDevice | null,
  from: number,
  to: number,
) {
  const visible = scene.sees.get(viewer) ?? [];
  return (scene.rows.get(list) ?? [])
    .filter((seeded) => visible.includes(seeded.device) && (device === null || seeded.device === device))
    .map(({ row }) => row)
    .filter((row) => list.isIn(row, from, to))
    .toSorted((one, other) => compareKeys(list.key(one), list.key(other)));
}

onEachEngine("lists in time order", (engine) => {
  test("show, in order and page by page, exactly the rows in sight and in the window", async () => {
    const given = await scene(engine);
    const { database, fleet } = given;
    const viewers = [fleet.owner, fleet.anna, fleet.ben, fleet.otherOwner];
    const devices = [null, null, fleet.van, fleet.truck, fleet.trailer, fleet.otherVan];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...timeLists),
        fc.constantFrom(...viewers),
        fc.constantFrom(...devices),
        fc.integer({ min: -20, max: steps + 2 }),
        fc.integer({ min: 1, max: steps }),
        // On the moments of the rows, and just beside them.
        fc.constantFrom(-1, 0, 1),
        fc.constantFrom(-1, 0, 1),
        fc.constantFrom(1, 2, 3, 7, 20, 500),
        fc.boolean(),
        async (list, viewer, anyDevice, start, length, besideFrom, besideTo, count, walksAccount) => {
          const device = anyDevice ?? (list.needsDevice ? fleet.truck : null);
          const fromMs = noon + start * stepMs + besideFrom;
          const toMs = noon + (start + length) * stepMs + besideTo;
          const page = { device: device?.device ?? null, fromMs, toMs, count, walksAccount };
          expect(await everyPage(list, database, viewer.visibility, page)).toEqual(
            plain(expected(given, list, viewer, device, fromMs, toMs)),
          );
        },
      ),
      { numRuns: 250 },
    );
  });
});

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
