import { expect, test } from "bun:test";
import { type DeviceChange, DeviceChangeBuilder } from "../../src/domain/changes/device-change.ts";
import { type TrackedType, trackedTypes } from "../../src/domain/changes/types.ts";
import { type ChangePage, type LoggedChange, logChanges, loggedChanges } from "../../src/store/changes/changes.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers, shuffled } from "../support/random-drive.ts";
import { Seed } from "../support/seed.ts";

const seedNumber = announcedSeed("the log");
const { accountId, owner, devices } = newFleet();
const byNumber = new Map(devices.map((device) => [device.device, device]));
const commits = 40;
const at = Date.UTC(2026, 5, 1, 23, 59);

/** Its ids are the same each time. */
function newFleet() {
  const seed = new Seed();
  const account = seed.account();
  const { visibility: owner } = seed.user(account, { role: "owner" });
  const devices = Array.from({ length: 120 }, () => seed.device(account));
  return { seed, accountId: account.account_id, owner, devices };
}

interface Logged {
  readonly number: number;
  readonly device: number;
  readonly change: DeviceChange;
}

/** Mostly one position, one trip and one day of devices that nobody else sees; some have more, or are shared. */
function randomChange(random: () => number): DeviceChange {
  const moment = at - Math.floor(random() * 1e7);
  const builder = new DeviceChangeBuilder().add("position", moment).add("mileage", 20_605);
  if (random() < 0.7) builder.add("trip", moment - 1_000_000);
  if (random() < 0.2) builder.add("reading", moment, moment + 5);
  if (random() < 0.1) builder.add("position", moment - 10_000_000);
  if (random() < 0.05) builder.add("alert", moment);
  if (random() < 0.05) builder.remove("trip", [devices[7]?.id ?? ""]);
  return builder.build();
}

async function fillLog(database: Database, random: () => number): Promise<Logged[]> {
  const logged: Logged[] = [];
  for (let number = 1; number <= commits; number++) {
    const count = random() < 0.3 ? 1 : Math.floor(random() * devices.length) + 1;
    const some = shuffled(devices, random).slice(0, count);
    const changes = some.map(({ device }) => ({ device, change: randomChange(random), isShared: random() < 0.1 }));
    await database.transaction((tx) => logChanges(tx, accountId, number, at + number, changes));
    logged.push(...changes.map(({ device, change }) => ({ number, device, change })));
  }
  return logged;
}

async function walk(database: Database, page: Omit<ChangePage, "after" | "until">): Promise<LoggedChange[]> {
  const found: LoggedChange[] = [];
  for (let after: ChangePage["after"] | null = { number: 0, device: Number.MAX_SAFE_INTEGER }; after !== null; ) {
    const part = await loggedChanges(database, owner, { ...page, after, until: commits });
    expect(part.found.length).toBeLessThanOrEqual(page.count);
    found.push(...part.found);
    after = part.last;
  }
  return found;
}

function isAbout({ periods, removed }: DeviceChange, types: ReadonlySet<TrackedType>): boolean {
  return [...types].some((type) => periods[type] !== undefined || removed[type] !== undefined);
}

function inOrder(entries: readonly Logged[]): Logged[] {
  return entries
    .map(({ number, device, change }) => ({ number, device, change }))
    .sort((one, other) => one.number - other.number || one.device - other.device);
}

onEachEngine("the log of changes", (engine) => {
  const store = engine.shared(async ({ database }) => {
    await newFleet().seed.save(database);
    return { database, logged: await fillLog(database, randomNumbers(seedNumber)) };
  });

  test("has fewer rows than entries", async () => {
    const { database, logged } = store();
    const row = await database.get<{ count: number }>(sql`select count(*) as count from changes`);
    expect(row?.count).toBeLessThan(logged.length / 2);
  });

  test.each([1, 7, 200, 2_000])("is reported whole and once, %d entries at a time", async (count) => {
    const { database, logged } = store();
    const found = await walk(database, { device: null, types: new Set(trackedTypes), count });
    expect(inOrder(found)).toEqual(inOrder(logged));
    expect(found.map(({ number }) => number)).toEqual(logged.map(({ number }) => number));
    for (const { device, deviceId, imei, changedAt, number } of found) {
      const { id, imei: ownImei } = byNumber.get(device) ?? {};
      expect([deviceId, imei, changedAt]).toEqual([id ?? "", ownImei ?? "", at + number]);
    }
  });

  test.each([
    ["trips", ["trip"]],
    ["readings", ["reading"]],
    ["alerts and crossings", ["alert", "geofence_event"]],
    ["mileage and alerts", ["mileage", "alert"]],
  ] as const)("is reported of %s alone", async (_, list) => {
    const { database, logged } = store();
    const types = new Set<TrackedType>(list);
    const wanted = inOrder(logged.filter(({ change }) => isAbout(change, types)));
    for (const count of [3, 200]) {
      const found = (await walk(database, { device: null, types, count })).filter(({ change }) =>
        isAbout(change, types),
      );
      expect(inOrder(found)).toEqual(wanted);
    }
  });

  test("is reported of one device alone", async () => {
    const { database, logged } = store();
    for (const { device } of [0, 1, 60, -1].flatMap((place) => devices.at(place) ?? [])) {
      for (const count of [2, 100]) {
        const found = await walk(database, { device, types: new Set(trackedTypes), count });
        expect(inOrder(found)).toEqual(inOrder(logged.filter((entry) => entry.device === device)));
      }
    }
  });
});
