import { expect, test } from "bun:test";
import { accountViewer } from "../../src/store/changes/viewers.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { device, type FleetRecord, hourMs, load, loadedAt, smallFleet, user } from "../support/fleet.ts";

const { acme, ann, bob, car, depot, olga, rita, rivalVan, rules, truck, van } = smallFleet;
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

type Counter = "revision" | "devices_revision";

async function revisions(database: Database, counter: Counter = "revision"): Promise<Record<string, number>> {
  const rows = await database.all<{ readonly name: string } & Readonly<Record<Counter, number>>>(sql`
    select u.name, coalesce(r.revision, 0) as revision, coalesce(r.devices_revision, 0) as devices_revision
    from users u left join viewer_revisions r on r.account_id = u.account_id
      and r.user_id = case when u.role = 'owner' then ${accountViewer} else u.id end order by u.name`);
  return Object.fromEntries(rows.map((row) => [row.name, row[counter]]));
}

/** The fleet with the van, the truck, the car and the rival's van on the live map. */
async function liveFleet(database: Database): Promise<void> {
  await load(database, Object.values(smallFleet));
  await database.transaction((tx) =>
    tx.run(sql`
      insert into latest_positions (account_id, device, revision, last_seen_at, recorded_at, received_at, fields_json)
      select account_id, device, 1, 5, 5, 5, '[]' from devices`),
  );
}

const owners = [
  { ...olga, role: "sub_account" },
  { ...ann, role: "owner" },
];

/** Who sees it on the live map, and who in the list of devices, which shows all of a device, whether it sent anything or not. */
const changes: readonly [string, FleetRecord[], live: readonly string[], listed: readonly string[]][] = [
  ["a new name", [{ ...van, name: "Bus" }], ["Ann", "Olga"], ["Ann", "Olga"]],
  ["a new plate", [{ ...truck, plate: "X" }], ["Ann", "Bob", "Olga"], ["Ann", "Bob", "Olga"]],
  ["a new tracker", [{ ...van, imei: "356307042999999" }], ["Ann", "Olga"], ["Ann", "Olga"]],
  ["a device that nobody else sees", [{ ...car, name: "Coupe" }], ["Olga"], ["Olga"]],
  ["an assignment", [{ ...car, user_ids: [bob.id] }], ["Bob"], ["Bob"]],
  ["an assignment that ends", [{ ...truck, user_ids: [bob.id] }], ["Ann"], ["Ann"]],
  ["an assignment that moves", [{ ...van, user_ids: [bob.id] }], ["Ann", "Bob"], ["Ann", "Bob"]],
  [
    "a name with an assignment that moves",
    [{ ...van, name: "Bus", user_ids: [bob.id] }],
    ["Ann", "Bob", "Olga"],
    ["Ann", "Bob", "Olga"],
  ],
  [
    "several changes of what one sees",
    [
      { ...van, name: "Bus" },
      { ...truck, name: "Lorry" },
    ],
    ["Ann", "Bob", "Olga"],
    ["Ann", "Bob", "Olga"],
  ],
  ["another account's device", [{ ...rivalVan, name: "Bus" }], ["Rita"], ["Rita"]],
  ["another owner", owners, ["Ann", "Olga"], ["Ann", "Olga"]],
  ["a status and tags", [{ ...truck, status: "blocked", tags: ["cold"] }], [], ["Ann", "Bob", "Olga"]],
  ["what the vehicle is", [{ ...car, vin: "W1V9076331P412073" }], [], ["Olga"]],
  ["a person's own record", [{ ...ann, status: "disabled" }, user(50)], [], []],
  ["the same again", [van, truck, car, olga, ann, bob, rita], [], []],
  // The last one: what is new cannot be taken back.
  ["a new device", [device(51, { user_ids: [ann.id] })], [], ["Ann", "Olga"]],
];

onEachEngine("what is seen changes for exactly those who see it", (engine) => {
  test("on the live map and in the list, whatever the change", async () => {
    const { database } = await engine.fresh();
    await liveFleet(database);
    // Each change is taken back after it.
    for (const [name, records, live, listed] of changes) {
      const counters = ["revision", "devices_revision"] as const;
      const before = await Promise.all(counters.map((counter) => revisions(database, counter)));
      await load(database, records, loadedAt + hourMs);
      for (const [index, counter] of counters.entries()) {
        const [old, after] = [before[index] ?? {}, await revisions(database, counter)];
        const changed = Object.keys(old).filter((viewer) => after[viewer] !== old[viewer]);
        expect([name, counter, changed]).toEqual([name, counter, [...(counter === "revision" ? live : listed)]]);
        // Another role has other counters.
        const growing = name === "another owner" ? [] : changed;
        for (const viewer of growing) expect(after[viewer]).toBeGreaterThan(old[viewer] ?? 0);
      }
      await load(database, Object.values(smallFleet), loadedAt + hourMs);
    }
  });

  test("not on the live map for devices that never sent anything", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    await load(database, [{ ...van, name: "Bus", user_ids: [bob.id] }], loadedAt + hourMs);
    expect(Object.values(await revisions(database))).toEqual([0, 0, 0, 0]);
  });

  test("again with each change", async () => {
    const { database } = await engine.fresh();
    await liveFleet(database);
    const seen: (number | undefined)[] = [];
    for (const name of ["A", "B", "B", "C"]) {
      await load(database, [{ ...van, name }], loadedAt + hourMs);
      seen.push((await revisions(database)).Ann);
    }
    expect(seen).toEqual([1, 2, 2, 3]);
  });
});
