import { expect, test } from "bun:test";
import { foreground } from "../../src/derive/pace.ts";
import { eraseMarked } from "../../src/derive/upkeep/erase-marked.ts";
import { eraseDriver } from "../../src/fleet/edit/erase-driver.ts";
import { eraseRemovedDevice } from "../../src/fleet/edit/remove-device.ts";
import { sql } from "../../src/store/sql.ts";
import { forgetRecords } from "../../src/store/upkeep/forgotten-removals.ts";
import { onEachEngine } from "../support/engines.ts";
import { command, eraseDevice, foundInTables, keepAndHide } from "../support/erasing.ts";
import { type FleetRecord, uuid } from "../support/fleet.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { devices, home, newYear, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { accountNumber, take } from "../support/ingest-node.ts";
import type { Change } from "./copy.ts";
import { type Following, followings, ofType } from "./following.ts";

const hourMs = 3_600_000;

function person(number: number, name: string, driverIds: readonly string[]): FleetRecord {
  return { type: "driver", id: uuid(60 + number), account_id: uuid(1), name, driver_ids: driverIds };
}

function drive(imei: string, hour: number, tag: string, later = tag) {
  const way = straightDrive({ imei, from: home, beginAt: newYear + hour * hourMs, minutes: 5, kmh: 60, everyS: 60 });
  return way.map((frame, index) => ({ ...frame, driver_id: index < 3 ? tag : later }));
}

/** What a follower has of drivers, by the id of changes. */
function copyOf(changes: readonly Change[], copy = new Map<string, string | null>()): Map<string, string | null> {
  for (const { change, id, device_id, record } of ofType(changes, "driver")) {
    expect(device_id).toBeNull();
    if (change === "removed") copy.delete(id);
    else copy.set(id, record?.name ?? null);
  }
  return copy;
}

onEachEngine("drivers for followers", (engine) => {
  const begin = followings(engine, async () => {});

  async function viewersOf(following: Following) {
    const { olga, ann, bob } = following.keys;
    const viewers = await Promise.all(
      [olga, ann, bob].map(async (key) => ({
        key,
        copy: new Map<string, string | null>(),
        after: await following.now(key),
      })),
    );
    return {
      /** Reads on for each of them, and compares with the list. Returns the ids that came. */
      async news() {
        const came: string[][] = [];
        for (const viewer of viewers) {
          const changes = await following.since(viewer.after, viewer.key, "limit=2");
          viewer.after = await following.now(viewer.key);
          copyOf(changes, viewer.copy);
          const { data } = (await following.api.get("/drivers?limit=500", viewer.key)).body;
          const listed = data.map((row: { id: string | null; driver_ids: string[]; name: string | null }) => [
            row.id ?? row.driver_ids[0],
            row.name,
          ]);
          expect(Object.fromEntries(viewer.copy)).toEqual(Object.fromEntries(listed));
          came.push(
            ofType(changes, "driver")
              .map(({ change, id }) => `${change} ${id}`)
              .toSorted(),
          );
        }
        return came;
      },
    };
  }

  test("come when their tag is first seen, are named, get another tag and are erased: to those who see them", async () => {
    const following = await begin();
    const { database } = following;
    const viewers = await viewersOf(following);
    const [amara, ben] = [uuid(61), uuid(62)];
    // Olga owns the account, Ann sees the van and the truck, Bob the truck.
    await following.load(person(1, "Amara", ["T1"]));
    expect(await viewers.news()).toEqual([[`put ${amara}`], [], []]);
    await take(database, [drive(vanImei, 0, "T1")]);
    expect(await viewers.news()).toEqual([[], [`put ${amara}`], []]);
    // What is known is not said again.
    await take(database, [drive(vanImei, 1, "T1")]);
    expect(await viewers.news()).toEqual([[], [], []]);
    // Bob's first of Amara, and a handover to a tag of nobody.
    await take(database, [drive(truckImei, 0, "T1", "T2")]);
    expect(await viewers.news()).toEqual([["put T2"], ["put T2"], [`put ${amara}`, "put T2"]]);
    await following.load(person(2, "Ben", ["T2"]));
    const named = [`put ${ben}`, "removed T2"];
    expect(await viewers.news()).toEqual([named, named, named]);
    await following.load(person(1, "Amara Okafor", ["T1", "T3"]));
    expect(await viewers.news()).toEqual(Array(3).fill([`put ${amara}`]));
    // Only the tag that she gives away was ever seen.
    await following.load(person(1, "Amara Okafor", ["T3"]), person(2, "Ben", ["T1", "T2"]));
    const given = [`put ${ben}`, `removed ${amara}`];
    expect(await viewers.news()).toEqual([[`put ${amara}`, `put ${ben}`], given, given]);
    const removal = {
      accountId: await accountNumber(database),
      id: ben,
      by: command,
      revision: null,
      isPreview: false,
    };
    await eraseDriver(database, removal, Date.now());
    const erased = ["put T1", "put T2", `removed ${ben}`];
    expect(await viewers.news()).toEqual([erased, erased, erased]);
    const few = await following.key("olga@acme.test", { scopes: ["trips:read"] });
    expect((await following.ask("types=driver", few)).body.error.required_scopes).toEqual(["devices:read"]);
    expect((await following.ask("types=driver", following.keys.rita)).body.data).toEqual([]);
  });

  test("whom a follower does not know because their vehicle had left come again, once", async () => {
    const following = await begin();
    const { database, keys, api } = following;
    const [ann, olga] = [keys.ann, keys.olga];
    const listed = async (key: string) =>
      (await api.get("/drivers", key)).body.data.flatMap(({ driver_ids }: { driver_ids: string[] }) => driver_ids);
    const news = async (key: string, work: () => Promise<unknown>) => {
      const after = await following.now(key);
      await work();
      const changes = ofType(await following.since(after, key), "driver");
      return changes.map(({ change, id }) => `${change} ${id}`).toSorted();
    };
    // Ann sees the van and the truck.
    await take(database, [drive(truckImei, 0, "T1"), drive(vanImei, 0, "T2")]);
    const [, truck] = devices;
    await following.load({ ...truck, user_ids: [uuid(13)] });
    expect(await listed(ann)).toEqual(["T2"]);
    // The trip of T2 ends: that Ann has it is not known any more.
    expect(await news(ann, () => take(database, [drive(vanImei, 1, "T1")]))).toEqual(["put T1", "put T2"]);
    expect(await news(ann, () => take(database, [drive(vanImei, 2, "T1")]))).toEqual([]);
    // Nor is there a removal of a tag when its vehicle is removed, kept or erased: the tag itself is to be gone.
    await take(database, [drive(truckImei, 3, "T3", "T4"), drive(vanImei, 3, "T4")]);
    expect((await listed(olga)).toSorted()).toEqual(["T1", "T2", "T3", "T4"]);
    const wanted = { accountId: await accountNumber(database), id: truck.id };
    expect(await news(olga, () => keepAndHide(database, wanted))).toEqual([]);
    expect((await listed(olga)).toSorted()).toEqual(["T1", "T2", "T4"]);
    expect(await foundInTables(database, ["T3"])).not.toEqual([]);
    // Her tag for a while: then it is noted again, since the trips of the truck still have it.
    await following.load(person(1, "Amara", ["T3"]));
    await following.load(person(1, "Amara", []));
    await eraseRemovedDevice(database, { ...wanted, by: command }, Date.now());
    await eraseMarked(database, foreground);
    expect(await foundInTables(database, ['"T3"'])).toEqual([]);
    expect(await foundInTables(database, ['"T4"'])).not.toEqual([]);
    expect(await news(olga, () => take(database, [drive(vanImei, 4, "T3")]))).toEqual(["put T3", "put T4"]);
    expect(await news(olga, () => take(database, [drive(vanImei, 5, "T3")]))).toEqual([]);
  });

  test("whom a follower does not know come again when the leaving of their vehicle is forgotten, too", async () => {
    const following = await begin();
    const { database, keys } = following;
    await take(database, [drive(truckImei, 0, "T1"), drive(vanImei, 0, "T2")]);
    await following.load({ ...devices[1], user_ids: [uuid(13)] });
    const accountId = await accountNumber(database);
    await database.transaction((tx) => forgetRecords(tx, accountId, Date.now() + 60_000, 100));
    // Whoever begins now has no T1.
    const after = await following.now(keys.ann);
    await take(database, [drive(vanImei, 1, "T1")]);
    const changes = ofType(await following.since(after, keys.ann), "driver");
    expect(changes.map(({ change, id }) => `${change} ${id}`)).toContain("put T1");
  });

  test("whose tag no vehicle shows leave no tag when they are erased", async () => {
    const following = await begin();
    const { database } = following;
    await take(database, [drive(truckImei, 0, "T1"), drive(vanImei, 0, "T2")]);
    await following.load(person(1, "Amara", ["T1"]));
    const accountId = await accountNumber(database);
    await eraseDevice(database, { accountId, id: devices[1].id });
    // She still has it, and whoever follows has yet to hear that it is hers.
    const noted = () => database.all(sql`select 1 as there from viewer_records where driver_id = 'T1'`);
    expect(await noted()).not.toEqual([]);
    await eraseDriver(database, { accountId, id: uuid(61), by: command, revision: null, isPreview: false }, Date.now());
    expect(await foundInTables(database, ['"T1"'])).toEqual([]);
    expect(await noted()).toEqual([]);
  });
});
