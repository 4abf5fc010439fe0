import { beforeEach, expect, test } from "bun:test";
import { viewerCounters } from "../../src/store/changes/viewers.ts";
import type { Database } from "../../src/store/database.ts";
import { mileage } from "../../src/store/facts/mileage.ts";
import { alertSettings } from "../../src/store/fleet/alert-settings.ts";
import { visibleDevice, visibleDevices } from "../../src/store/fleet/devices.ts";
import { deviceGeofences, geofences } from "../../src/store/fleet/geofences.ts";
import { subAccount, subAccounts } from "../../src/store/fleet/users.ts";
import { latestPositions } from "../../src/store/frames/positions.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { plain, timeLists } from "../support/read-lists.ts";
import type { SeededDevice, SeededUser } from "../support/seed.ts";
import { type SeededFleet, seedFleet } from "../support/seed-fleet.ts";
import { noon, utcDays } from "../support/seed-rows.ts";

const all = { after: null, count: 1000 };
const window = { ...all, fromMs: noon - 3_600_000, toMs: noon + 3_600_000 };
const day = Math.floor(noon / 86_400_000);

const wholeReport = { after: null, count: 1000 };

onEachEngine("a viewer", (engine) => {
  let database: Database;
  let fleet: SeededFleet;
  let sees: readonly (readonly [SeededUser, readonly SeededDevice[]])[];
  let everyDevice: readonly SeededDevice[];

  beforeEach(async () => {
    ({ database } = await engine.fresh());
    fleet = await seedFleet(database);
    const { owner, anna, ben, otherOwner, van, truck, car, trailer, otherVan } = fleet;
    everyDevice = [van, truck, car, trailer, otherVan];
    sees = [
      [owner, [van, truck, car, trailer]],
      [anna, [van, truck]],
      [ben, [truck, car]],
      [otherOwner, [otherVan]],
    ];
  });

  test("finds its own devices and no others, by id and by IMEI", async () => {
    for (const [{ visibility }, devices] of sees) {
      for (const device of everyDevice) {
        const found = devices.includes(device) ? device : null;
        expect(await visibleDevice(database, visibility, { id: device.id })).toEqual(found);
        expect(await visibleDevice(database, visibility, { imei: device.imei })).toEqual(found);
        expect((await alertSettings(database, visibility, device.id))?.imei ?? null).toBe(found?.imei ?? null);
        expect((await deviceGeofences(database, visibility, device.device)).length > 0).toBe(found !== null);
      }
    }
  });

  test("lists its own devices, positions and mileage, in the order of the devices' ids", async () => {
    for (const [{ visibility }, devices] of sees) {
      const inOrder = devices.toSorted((one, other) => (one.id < other.id ? -1 : 1));
      const ids = inOrder.map((device) => device.id);
      expect(await visibleDevices(database, visibility, { ...all, status: null, search: null })).toEqual(inOrder);
      const positions = await latestPositions(database, visibility, { ...all, device: null });
      expect(positions.map((row) => row.device_id)).toEqual(ids);
      const days = await mileage(database, visibility, { device: null, days: utcDays(day, day + 1) }, wholeReport);
      expect(days.map((row) => row.device_id)).toEqual(ids);
      for (const device of everyDevice) {
        const own = devices.includes(device) ? [device.id] : [];
        const one = await latestPositions(database, visibility, { ...all, device: device.device });
        expect(one.map((row) => row.device_id)).toEqual(own);
        const daysOfOne = await mileage(
          database,
          visibility,
          { device: device.device, days: utcDays(0, day + 1) },
          wholeReport,
        );
        expect(daysOfOne.map((row) => row.device_id)).toEqual(own);
      }
    }
  });

  test.each(timeLists.map((list) => [list.name, list] as const))(
    "sees the %s of its own devices and of no others",
    async (_, list) => {
      for (const [{ visibility }, devices] of sees) {
        if (!list.needsDevice) {
          const rows = plain(await list.read(database, visibility, { ...window, device: null }));
          const seen = new Set(rows.map((row) => row.device_id as string));
          expect([...seen].toSorted()).toEqual(devices.map((device) => device.id).toSorted());
        }
        for (const device of everyDevice) {
          const rows = plain(await list.read(database, visibility, { ...window, device: device.device }));
          expect(rows.length > 0).toBe(devices.includes(device));
          expect(rows.every((row) => row.device_id === device.id && row.imei === device.imei)).toBe(true);
        }
      }
    },
  );

  test("sees the fences of its devices, and the owner all of the account's", async () => {
    const { seed, acme, owner, anna, ben, otherOwner, van, car } = fleet;
    const empty = seed.geofence(acme, { name: "Nobody's" });
    // Moved from Anna's van to Ben's car: what counts is the newest version, whichever was stored first.
    const moved = seed.geofence(acme, { name: "Moved", devices: [van] });
    seed.geofenceVersion(moved, { valid_from: noon, devices: [car] });
    seed.geofenceVersion(moved, { valid_from: noon - 10, devices: [van] });
    await seed.save(database);
    const names = async (user: SeededUser) =>
      (await geofences(database, user.visibility, all)).map((fence) => fence.name).toSorted();
    expect(await names(owner)).toEqual(["Depot", "Harbour", "Moved", "Nobody's"]);
    expect(await names(anna)).toEqual(["Depot"]);
    expect(await names(ben)).toEqual(["Depot", "Harbour", "Moved"]);
    expect(await names(otherOwner)).toEqual(["Elsewhere"]);
    expect((await deviceGeofences(database, owner.visibility, van.device)).map((fence) => fence.name)).toEqual([
      "Depot",
    ]);
    expect((await geofences(database, owner.visibility, all)).find((fence) => fence.id === empty.id)).toBeDefined();
  });

  test("sees itself among the sub-accounts, and the owner all of them but itself", async () => {
    const { owner, anna, ben, otherOwner } = fleet;
    const shown = ({ account_id, role, visibility, ...row }: SeededUser) => row;
    const inOrder = [anna, ben].toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(shown);
    expect(inOrder.map((row) => row.device_count)).toEqual([2, 2]);
    const sights = [
      [owner, inOrder],
      [anna, [shown(anna)]],
      [ben, [shown(ben)]],
      [otherOwner, []],
    ] as const;
    for (const [viewer, rows] of sights) {
      expect(await subAccounts(database, viewer.visibility, all)).toEqual([...rows]);
      for (const user of [owner, anna, ben, otherOwner]) {
        const found = rows.find((row) => row.id === user.id) ?? null;
        expect(await subAccount(database, viewer.visibility, user.id)).toEqual(found);
      }
    }
  });

  test("that loses a device loses all that is about it at once", async () => {
    const { anna, truck, van } = fleet;
    await database.transaction((tx) =>
      tx.run(sql`delete from assignments where user_id = ${anna.id} and device = ${truck.device}`),
    );
    expect(await visibleDevice(database, anna.visibility, { id: truck.id })).toBeNull();
    for (const list of timeLists) {
      expect(await list.read(database, anna.visibility, { ...window, device: truck.device })).toEqual([]);
      const rows = plain(
        await list.read(database, anna.visibility, { ...window, device: list.needsDevice ? van.device : null }),
      );
      expect(new Set(rows.map((row) => row.device_id))).toEqual(new Set([van.id]));
    }
  });

  test("has a number of its own that grows with what it sees of the live positions", async () => {
    const { seed, acme, owner, anna, ben, otherOwner, van } = fleet;
    const viewers = [owner, anna, ben, otherOwner];
    const revisions = () =>
      Promise.all(viewers.map(async (user) => (await viewerCounters(database, user.visibility)).livePositions));
    const [ofOwner = 0, ofAnna = 0, ofBen, ofOther] = await revisions();
    seed.position(van, { recorded_at: noon + 4_000_000 });
    await seed.save(database);
    expect(await revisions()).toEqual([ofOwner + 1, ofAnna + 1, ofBen ?? -1, ofOther ?? -1]);
    const newcomer = seed.user(acme);
    await seed.save(database);
    expect((await viewerCounters(database, newcomer.visibility)).livePositions).toBe(0);
  });
});
