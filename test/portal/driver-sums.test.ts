import { expect, test } from "bun:test";
import { visibilityOf } from "../../src/domain/visibility.ts";
import { driverSums } from "../../src/portal/fleet-days/driver-sums.ts";
import type { Database } from "../../src/store/database.ts";
import { hasDrivers, saveDrivers } from "../../src/store/fleet/drivers.ts";
import { everyRecord, keyOf, startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { uuid } from "../support/fleet.ts";
import { Seed } from "../support/seed.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const from = "2025-03-01";
const to = "2025-03-10";
const first = Date.parse(from) / dayMs;

/** Amara has two cards; one vehicle is handed over from her to a card that nobody has named. */
async function fleetOf(database: Database) {
  const rows = new Seed();
  const account = rows.account({ time_zone: "UTC" });
  const owner = rows.user(account, { role: "owner" });
  const anna = rows.user(account);
  const driven = (
    device: ReturnType<Seed["device"]>,
    day: number,
    driver_id: string | null,
    km: number,
    later?: string,
  ) => {
    const started_at = (first + day) * dayMs + 8 * hourMs;
    const ended_at = started_at + hourMs;
    const drivers = [
      [driver_id, started_at],
      [later, started_at + hourMs / 4],
    ];
    rows.trip(device, {
      ...{ started_at, ended_at, distance_mm: km * 1e6, idle_ms: 0, driver_id },
      drivers_json: later === undefined ? null : JSON.stringify(drivers),
    });
    rows.mileage(device, { day: first + day, distance_mm: km * 1e6, trip_count: 1, driving_ms: hourMs, idle_ms: 0 });
  };
  const cold = rows.device(account, { tags_json: '["cold"]', seenBy: [anna] });
  const both = rows.device(account, { tags_json: '["cold","north"]' });
  const plain = rows.device(account, { tags_json: "[]" });
  driven(cold, 1, "A1", 10);
  driven(cold, 2, "A2", 20);
  driven(both, 1, "A2", 40, "B1");
  driven(plain, 1, null, 80);
  driven(plain, 2, "B1", 160);
  await rows.save(database);
  const amara = { account_id: owner.account_id, id: uuid(77), name: "Amara", driver_ids_json: '["A1","A2"]' };
  await database.transaction((tx) => saveDrivers(tx, [amara], 0));
  const [seesAll, seesSome] = [
    visibilityOf({ accountId: owner.account_id, id: owner.id, role: "owner" }),
    visibilityOf({ accountId: owner.account_id, id: anna.id, role: "sub_account" }),
  ];
  const sums = async (filter = "", visibility = seesAll) => {
    const { data } = await driverSums(database, visibility, `from=${from}&to=2025-03-09${filter}`);
    return data;
  };
  return { owner, sums, seesSome, devices: { cold, both, plain } };
}

onEachEngine("sums by driver in the portal", (engine) => {
  test("are those of /reports/mileage/sums, with one row for a person of several cards", async () => {
    const { database } = await engine.fresh();
    const { owner, sums } = await fleetOf(database);
    expect((await sums()).map((row) => [row.driver, row.distance_km, row.trip_count, row.vehicle_count])).toEqual([
      ["B1", 190, 1, 2],
      [null, 80, 1, 1],
      ["Amara", 40, 3, 2],
    ]);
    const api = await startApi(database);
    const key = await keyOf(database, owner.email);
    for (const filter of ["", "&tag=cold", "&tag=north"]) {
      const path = `/reports/mileage/sums?from=${from}&to=${to}&group_by=driver${filter}`;
      const all = ((await everyRecord(api, key, path)) ?? []) as unknown as {
        driver_id: string | null;
        driver_name: string | null;
        distance_km: number;
        driving_s: number;
      }[];
      const own = await sums(filter);
      const people = Map.groupBy(all, ({ driver_id, driver_name }) => driver_name ?? driver_id);
      expect(own.length).toBe(people.size);
      for (const { driver, distance_km, driving_s } of own) {
        const rows = people.get(driver) ?? [];
        expect(distance_km).toBeCloseTo(
          rows.reduce((sum, row) => sum + row.distance_km, 0),
          6,
        );
        expect(driving_s).toBeCloseTo(
          rows.reduce((sum, row) => sum + row.driving_s, 0),
          3,
        );
      }
    }
    await api.close();
  });

  test("are of the vehicles that are chosen and seen", async () => {
    const { database } = await engine.fresh();
    const { sums, seesSome, devices } = await fleetOf(database);
    const figures = async (...asked: Parameters<typeof sums>) =>
      (await sums(...asked)).map(({ driver, distance_km }) => [driver, distance_km]);
    const amaras = ["Amara", 40];
    // A vehicle with two of the tags counts once.
    expect(await figures("&tag=cold&tag=north")).toEqual([amaras, ["B1", 30]]);
    expect(await figures(`&device_id=${devices.cold.id}&device_id=${devices.both.id}`)).toEqual([amaras, ["B1", 30]]);
    expect(await figures(`&device_id=${devices.plain.id}&tag=cold`)).toEqual([]);
    expect(await figures("", seesSome)).toEqual([["Amara", 30]]);
    expect(await figures(`&device_id=${devices.plain.id}`, seesSome)).toEqual([]);
  });

  test("are offered as soon as a trip has a driver, whatever the live position says", async () => {
    const { database } = await engine.fresh();
    const rows = new Seed();
    const [nobody, known, later] = [rows.account(), rows.account(), rows.account()];
    rows.trip(rows.device(nobody), { driver_id: null });
    const van = rows.device(known);
    rows.position(van, { driver_id: null });
    rows.trip(van, { driver_id: "00F1" });
    const truck = rows.device(later);
    rows.trip(truck, { driver_id: null, drivers_json: '[[null,0],["00F2",1]]' });
    await rows.save(database);
    const offered = [nobody, known, later].map(({ account_id }) => hasDrivers(database, account_id));
    expect(await Promise.all(offered)).toEqual([false, true, true]);
  });
});
