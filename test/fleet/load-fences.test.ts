import { expect, test } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";

const { acme, olga, ann, bob, van, truck, car, depot, rules } = smallFleet;
const fleet = [acme, olga, ann, bob, van, truck, car];
const spring = Date.UTC(2025, 3, 1);
const summer = Date.UTC(2025, 6, 1);
const depotFrom = (validFrom: number, fields: object) => ({
  ...depot,
  ...fields,
  valid_from: new Date(validFrom).toISOString(),
});

/** The depot's versions: from when, how large, and which devices with when they were assigned. */
async function history(database: Database) {
  const versions = await database.all<{ valid_from: number; radius_m: number }>(
    sql`select valid_from, radius_m from geofence_versions order by valid_from`,
  );
  const members = await database.all<{ valid_from: number; name: string; assigned_at: number }>(sql`
    select m.valid_from, d.name, m.assigned_at from geofence_assignments m
    join devices d on d.account_id = m.account_id and d.device = m.device order by d.name`);
  return versions.map(({ valid_from, radius_m }) => {
    const own = members.filter((member) => member.valid_from === valid_from);
    return [valid_from, radius_m, Object.fromEntries(own.map(({ name, assigned_at }) => [name, assigned_at]))];
  });
}

async function ruleHistory(database: Database) {
  const rows = await database.all<{ valid_from: number; rules_json: string }>(
    sql`select valid_from, rules_json from alert_settings_versions order by valid_from`,
  );
  return rows.map(({ valid_from, rules_json }) => [valid_from, JSON.parse(rules_json).length]);
}

onEachEngine("a geofence's history", (engine) => {
  test("is stored as a file with several versions tells it, once", async () => {
    const { database } = await engine.fresh();
    const versions = [
      depotFrom(summer, { radius_m: 300, device_ids: [car.id] }),
      { ...depot, radius_m: 100 },
      depotFrom(spring, { radius_m: 200, device_ids: [van.id] }),
    ];
    const summary = await load(database, [...fleet, ...versions]);
    expect(summary.geofences).toEqual({ added: 1, changed: 0, unchanged: 0 });
    expect(await history(database)).toEqual([
      [0, 100, { Truck: loadedAt, Van: loadedAt }],
      [spring, 200, { Van: loadedAt }],
      [summer, 300, { Car: loadedAt }],
    ]);
    const before = await everyRow(database);
    for (const now of [loadedAt + hourMs, summer + hourMs]) {
      const again = await load(database, [...fleet, ...versions], now);
      expect(again.geofences).toEqual({ added: 0, changed: 0, unchanged: 1 });
      expect(await everyRow(database)).toEqual(before);
    }
  });

  test("keeps when a device was assigned, and dates only those that join", async () => {
    const { database } = await engine.fresh();
    await load(database, [...fleet, depot]);
    const later = loadedAt + hourMs;
    await load(database, [{ ...depot, device_ids: [car.id, truck.id] }], later);
    expect((await history(database)).at(-1)).toEqual([later, 100, { Car: later, Truck: loadedAt }]);
  });

  test("replaces a version of the same moment, with its devices", async () => {
    const { database } = await engine.fresh();
    await load(database, [...fleet, depotFrom(spring, {})]);
    await load(database, [depotFrom(spring, { radius_m: 250, device_ids: [car.id] })], loadedAt + hourMs);
    expect(await history(database)).toEqual([[spring, 250, { Car: loadedAt + hourMs }]]);
  });

  test("is not touched by a new name, which has no history", async () => {
    const { database } = await engine.fresh();
    await load(database, [...fleet, depot]);
    const before = await history(database);
    const summary = await load(database, [{ ...depot, name: "Yard", color: "red" }], loadedAt + hourMs);
    expect(summary.geofences).toEqual({ added: 0, changed: 1, unchanged: 0 });
    expect(await history(database)).toEqual(before);
    expect(await database.get(sql`select name, color from geofences`)).toEqual({ name: "Yard", color: "red" });
  });
});

onEachEngine("a device's alert settings", (engine) => {
  test("have a history as a geofence has", async () => {
    const { database } = await engine.fresh();
    const none = { ...rules, rules: [] };
    await load(database, [...fleet, depot, rules]);
    expect(await ruleHistory(database)).toEqual([[0, 2]]);
    await load(database, [none], loadedAt + hourMs);
    await load(database, [none], loadedAt + 2 * hourMs);
    expect(await ruleHistory(database)).toEqual([
      [0, 2],
      [loadedAt + hourMs, 0],
    ]);
    const dated = { ...none, valid_from: new Date(summer).toISOString() };
    expect((await load(database, [dated])).alert_settings).toEqual({ added: 0, changed: 1, unchanged: 0 });
    expect((await load(database, [dated])).alert_settings).toEqual({ added: 0, changed: 0, unchanged: 1 });
    expect(await ruleHistory(database)).toEqual([
      [0, 2],
      [summer, 0],
      [loadedAt + hourMs, 0],
    ]);
  });
});
