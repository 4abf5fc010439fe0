import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Database } from "../../src/store/database.ts";
import { type EngineUnderTest, onEachEngine } from "../support/engines.ts";
import { compareKeys, everyPage, type Plain, type Seeded, type TimeList, timeLists } from "../support/read-lists.ts";
import type { SeededDevice, SeededUser } from "../support/seed.ts";
import { newFleet, type SeededFleet } from "../support/seed-fleet.ts";
import { noon } from "../support/seed-rows.ts";

const stepMs = 600_000;
const steps = 40;

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
  const random = numbers(20_260_615);
  for (const list of timeLists) {
    const stored: Seeded[] = [];
    for (const device of [van, truck, car, trailer, otherVan]) {
      const ofDevice: Plain[] = list.name === "trips" ? tripsOf(fleet, device, random) : [];
      for (let index = 0; index < 25 && list.name !== "trips"; index++) {
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
function tripsOf({ seed }: SeededFleet, device: SeededDevice, random: () => number) {
  const rows = [];
  let at = noon - 900 * stepMs * random();
  while (at < noon + steps * stepMs) {
    const started_at = Math.floor(at / stepMs) * stepMs;
    const ended_at = started_at + stepMs * (1 + Math.floor(10 ** (random() * 3.3)));
    rows.push({ ...seed.trip(device, { started_at, ended_at }) });
    at = ended_at + stepMs * Math.floor(random() * 4);
  }
  rows.push({ ...seed.trip(device, { started_at: at, ended_at: null }) });
  return rows;
}

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
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
        async (list, viewer, anyDevice, start, length, besideFrom, besideTo, count) => {
          const device = anyDevice ?? (list.needsDevice ? fleet.truck : null);
          const fromMs = noon + start * stepMs + besideFrom;
          const toMs = noon + (start + length) * stepMs + besideTo;
          const page = { device: device?.device ?? null, fromMs, toMs, count };
          expect(await everyPage(list, database, viewer.visibility, page)).toEqual(
            expected(given, list, viewer, device, fromMs, toMs),
          );
        },
      ),
      { numRuns: 250 },
    );
  }, 240_000);
});
