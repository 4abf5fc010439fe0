import { expect, test } from "bun:test";
import { eraseDriver } from "../../src/fleet/edit/erase-driver.ts";
import { revisionsOf } from "../../src/store/fleet/record-revisions.ts";
import { everyRecord } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { command } from "../support/erasing.ts";
import { type FleetRecord, uuid } from "../support/fleet.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { home, newYear, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { type Following, followings, ofType } from "./following.ts";

const seed = announcedSeed("renamed drivers");
const tags = ["TAG-1", "TAG-2", "TAG-3", null] as const;
const hourMs = 3_600_000;

/** More trips of a driver than periods of a change are joined at. */
const tripsOfVehicle = rounds(200, 400);

function driver(number: number, name: string, driverIds: readonly string[]): FleetRecord {
  return { type: "driver", id: uuid(60 + number), account_id: uuid(1), name, driver_ids: driverIds };
}

/** Two vehicles that change hands all the time, also within a trip. */
const drives = [vanImei, truckImei].flatMap((imei, vehicle) =>
  Array.from({ length: tripsOfVehicle }, (_, trip) => {
    const random = randomNumbers(seed + vehicle * 10_000 + trip);
    const beginAt = newYear + trip * hourMs;
    const tag = () => tags[Math.floor(random() * tags.length)] ?? null;
    const [first, later] = [tag(), random() < 0.2 ? tag() : undefined];
    const way = straightDrive({ imei, from: home, beginAt, minutes: 5, kmh: 60, everyS: 60 });
    const last = way.at(-1);
    const parked = { ...last, recordedAt: beginAt + 6 * 60_000, receivedAt: beginAt + 361_000, ignition: false };
    return [...way, { ...parked, speed_kmh: 0 } as (typeof way)[number]].map((frame, index) => {
      const driverId = later !== undefined && index > 2 ? later : first;
      return driverId === null ? frame : { ...frame, driver_id: driverId };
    });
  }),
);

onEachEngine("after a driver's name changes", (engine) => {
  const begin = followings(engine, async (database) => {
    await take(database, [drives.flat()]);
  });

  const listed = async ({ api }: Following, key: string) => {
    const rows = (await everyRecord(api, key, "/trips?from=2025-12-30&to=2026-01-25&limit=500")) ?? [];
    return new Map(rows.map((row) => [row.trip_id as string, JSON.stringify(row)]));
  };

  test("a follower gets the trips that show another name, and no others", async () => {
    const random = randomNumbers(seed);
    const following = await begin();
    const { database, keys } = following;
    const accountId = await accountNumber(database);
    const named = driver(1, "Amara", ["TAG-1"]);
    const newName = "Amara Okafor";
    const steps: [string, () => Promise<unknown>, isShown?: false][] = [
      ["named", () => following.load(named)],
      ["renamed", () => following.load({ ...named, name: newName })],
      ["another is named", () => following.load(driver(2, "Ben", ["TAG-2", "TAG-4"]))],
      [
        "two swap both names and tags",
        () => following.load({ ...named, name: "Ben", driver_ids: ["TAG-2", "TAG-4"] }, driver(2, newName, ["TAG-1"])),
        false,
      ],
      ["and back", () => following.load({ ...named, name: newName }, driver(2, "Ben", ["TAG-2", "TAG-4"])), false],
      ["gives away a tag", () => following.load({ ...named, driver_ids: [] }, driver(2, "Ben", ["TAG-1", "TAG-2"]))],
      ["gets one that nobody had", () => following.load({ ...named, driver_ids: ["TAG-3"] })],
      [
        "erased",
        async () => {
          const { revision = 1 } = (await revisionsOf(database, accountId, "driver", [uuid(62)])).get(uuid(62)) ?? {};
          await eraseDriver(database, { accountId, id: uuid(62), revision, by: command, isPreview: false }, Date.now());
        },
      ],
    ];
    for (const [name, step, isShown = true] of steps) {
      const viewers = [];
      for (const key of [keys.olga, keys.bob]) {
        viewers.push({ key, after: await following.now(key), before: await listed(following, key) });
      }
      await step();
      for (const { key, after, before } of viewers) {
        const now = await listed(following, key);
        const others = [...now].filter(([id, row]) => before.get(id) !== row).map(([id]) => id);
        expect([name, isShown ? others.length > 10 && others.length < now.size : others.length === 0]).toEqual([
          name,
          true,
        ]);
        const limit = 1 + Math.floor(random() * 60);
        const changes = await following.since(after, key, `limit=${limit}`);
        expect([
          name,
          ofType(changes, "trip")
            .map(({ id }) => id)
            .toSorted(),
        ]).toEqual([name, others.toSorted()]);
        await following.asListed(changes, key);
      }
    }
  });
});
