import { describe, expect, test } from "bun:test";
import { type EditRequest, editFleet, type RecordEdit } from "../../src/fleet/edit/edit.ts";
import { WrongFields } from "../../src/fleet/edit/edited-file.ts";
import { EditConflict } from "../../src/fleet/edit/stored-records.ts";
import type { Database, Transaction } from "../../src/store/database.ts";
import { revisionsOf } from "../../src/store/fleet/record-revisions.ts";
import { sql } from "../../src/store/sql.ts";
import { altered } from "../support/altered.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { circle, device, hourMs, load, loadedAt, smallFleet, uuid } from "../support/fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";

const fleet = Object.values(smallFleet);
const { acme, olga, ann, bob, van, truck, car, depot, rivalVan, rivalYard, rita, rival } = smallFleet;
const later = loadedAt + hourMs;
const by = { kind: "user", id: olga.id } as const;

const change = (
  type: RecordEdit["type"],
  id: string,
  fields: RecordEdit["fields"],
  revision: number | null = 1,
): RecordEdit => ({
  type,
  id,
  revision,
  fields,
});

async function edit(database: Database, changes: readonly RecordEdit[], more: Partial<EditRequest> = {}, now = later) {
  const account = { number: await accountNumber(database), id: acme.id };
  return editFleet(database, { account, by, changes, isPreview: false, ...more }, now);
}

const auditOf = (database: Database) =>
  database.all<{ action: string; id: string; actor_id: string; details_json: string | null }>(
    sql`select action, id, actor_id, details_json from audit_log where actor = 'user' order by action, id`,
  );

/** The store with its statements inside of transactions counted. */
function countingStatements(database: Database): { readonly counted: Database; readonly count: () => number } {
  let statements = 0;
  const methods = ["all", "get", "run", "insertMany", "updateMany"];
  const counting = (tx: Transaction) =>
    new Proxy(tx, {
      get(_, name) {
        const value = Reflect.get(tx, name, tx);
        if (methods.includes(String(name))) statements++;
        return typeof value === "function" ? value.bind(tx) : value;
      },
    });
  const transaction: Database["transaction"] = (work) => database.transaction((tx) => work(counting(tx)));
  return { counted: altered(database, { transaction }), count: () => statements };
}

onEachEngine("an edit in the portal", (engine) => {
  const copied = engine.copies(({ database }) => load(database, fleet));
  const loaded = async () => (await copied()).database;

  test("changes the fields named and keeps all others, raises the revision and writes who did it", async () => {
    const database = await loaded();
    const { revisions } = await edit(database, [change("device", van.id, { plate: "NEW 1", tags: ["cold"] })]);
    expect(revisions).toEqual([2]);
    const row = await database.get(sql`select name, plate, tags_json, imei from devices where id = ${van.id}`);
    expect(row).toEqual({ name: "Van", plate: "NEW 1", tags_json: '["cold"]', imei: van.imei });
    const seers = await database.all(sql`select user_id from assignments where id = ${van.id}`);
    expect(seers).toEqual([{ user_id: ann.id }]);
    const number = await accountNumber(database);
    expect(await revisionsOf(database, number, "device", [van.id, car.id])).toEqual(
      new Map([
        [van.id, { revision: 2, managedBy: "portal" }],
        [car.id, { revision: 1, managedBy: "file" }],
      ]),
    );
    const entries = await auditOf(database);
    expect(entries.map(({ details_json, ...entry }) => entry)).toEqual([
      { action: "device.changed", id: van.id, actor_id: olga.id },
    ]);
    const { fields, from, to } = JSON.parse(entries[0]?.details_json ?? "");
    expect(fields.toSorted()).toEqual(["plate", "tags"]);
    // What a vehicle is called must not outlive it in the log: a plate is not in it.
    const at = fields.indexOf("tags");
    expect([from[at], to[at], from[1 - at], to[1 - at]]).toEqual(["", "cold", "", ""]);
  });

  test("that changes nothing leaves revision, manager and audit log alone", async () => {
    const database = await loaded();
    const before = await everyRow(database);
    expect(await edit(database, [change("device", van.id, { plate: "AC ME 1" })])).toMatchObject({ revisions: [1] });
    expect(await everyRow(database)).toEqual(before);
  });

  test("of a thousand records takes hardly more statements than one of one", async () => {
    const database = await loaded();
    const added = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        change("device", uuid(70_000 + index), { imei: String(770_000_000_000_000 + index), name: "New" }, null),
      );
    const statementsOf = async (changes: readonly RecordEdit[], isPreview: boolean) => {
      const { counted, count } = countingStatements(database);
      await edit(counted, changes, { isPreview });
      return count();
    };
    const [one, thousand] = [await statementsOf(added(1), true), await statementsOf(added(1_000), true)];
    expect(thousand).toBeLessThan(one + 30);
    await edit(database, added(1_000));
    const renamed = added(1_000).map(({ type, id }) => change(type, id, { name: "Renamed", tags: ["new"] }, 2));
    expect(await statementsOf(renamed, false)).toBeLessThan(100);
  });

  test("only looked at says its effect and stores nothing", async () => {
    const database = await loaded();
    const before = await everyRow(database);
    const changes = [
      change("device", truck.id, { user_ids: [], fuel_tank_capacity_l: 80 }),
      change("device", car.id, { user_ids: [ann.id] }),
    ];
    const seen = await edit(database, changes, { isPreview: true });
    expect(seen.effect).toMatchObject({
      assignments_begun: 1,
      assignments_ended: 2,
      sub_accounts: 2,
      derived_again: { vehicles: 1, from: null },
    });
    expect(await everyRow(database)).toEqual(before);
    expect((await edit(database, changes)).effect).toEqual(seen.effect);
  });

  test("leaves the same rows as its line loaded", async () => {
    const [edited, filed] = [await loaded(), await loaded()];
    const same = [
      [change("account", acme.id, { name: "Acme 2", time_zone: "Europe/Berlin" })],
      [change("user", bob.id, { name: "Rob", status: "disabled" })],
      [change("device", van.id, { name: "Bus", user_ids: [bob.id], fuel_tank_capacity_l: 80 })],
      [change("geofence", depot.id, { name: "Yard", device_ids: [van.id], radius_m: 200 })],
      [change("alert_settings", van.id, { rules: [{ alert_type: "towing", enabled: false }] })],
    ];
    for (const changes of same) await edit(edited, changes);
    const lines = [
      { ...acme, name: "Acme 2", time_zone: "Europe/Berlin" },
      { ...bob, name: "Rob", status: "disabled" },
      { ...van, name: "Bus", user_ids: [bob.id], fuel_tank_capacity_l: 80 },
      { ...depot, name: "Yard", device_ids: [van.id], radius_m: 200 },
      { type: "alert_settings", device_id: van.id, rules: [{ alert_type: "towing", enabled: false }] },
    ];
    for (const line of lines) await load(filed, [line], later);
    const [one, other] = [await everyRow(edited), await everyRow(filed)];
    // Who manages a record and who did what is what tells them apart.
    for (const table of ["record_revisions", "audit_log"]) {
      expect(one[table]).not.toEqual(other[table]);
    }
    const others = ["record_revisions", "audit_log", "schema_migrations", "account_marks"];
    for (const [table, rows] of Object.entries(one)) {
      if (!others.includes(table)) expect({ table, rows }).toEqual({ table, rows: other[table] ?? [] });
    }
  });

  test("of several records stores all or nothing", async () => {
    const database = await loaded();
    const before = await everyRow(database);
    const wrong = [change("device", van.id, { plate: "X" }), change("device", car.id, { imei: truck.imei })];
    expect((await failureOf(edit(database, wrong))).message).toContain(`${truck.imei} belongs to another device`);
    expect(await everyRow(database)).toEqual(before);
    const right = [change("device", van.id, { imei: car.imei }), change("device", car.id, { imei: van.imei })];
    expect((await edit(database, right)).revisions).toEqual([2, 2]);
  });

  test("adds a record, and a second time it is there already", async () => {
    const database = await loaded();
    const { account_id: _, type: __, id, ...fields } = device(51, { user_ids: [bob.id] });
    const added = [change("device", id, fields, null)];
    expect(await edit(database, added)).toMatchObject({ effect: { assignments_begun: 1 }, revisions: [2] });
    expect(await failureOf(edit(database, added))).toMatchObject({ code: "CONFLICT" });
    expect(await auditOf(database)).toEqual([{ action: "device.added", id, actor_id: olga.id, details_json: null }]);
  });

  describe("of two people at once", () => {
    test("the second gets what the record is now, and nothing is lost", async () => {
      const database = await loaded();
      const tries = ["A", "B"].map((plate) => edit(database, [change("device", van.id, { plate })]));
      const [done, refused] = (await Promise.allSettled(tries)).toSorted((one) => (one.status === "rejected" ? 1 : -1));
      expect(done).toMatchObject({ status: "fulfilled", value: { revisions: [2] } });
      const conflict = refused?.status === "rejected" ? refused.reason : null;
      expect(conflict).toBeInstanceOf(EditConflict);
      const row = await database.get<{ plate: string }>(sql`select plate from devices where id = ${van.id}`);
      expect(conflict).toMatchObject({ code: "CONFLICT", revision: 2, current: { id: van.id, plate: row?.plate } });
      expect(await auditOf(database)).toHaveLength(1);
    });

    test("a line of a file raises the revision, too", async () => {
      const database = await loaded();
      await load(database, [{ ...van, plate: "FILE" }], later);
      const stale = edit(database, [change("device", van.id, { name: "Bus" })]);
      expect(await failureOf(stale)).toMatchObject({ code: "CONFLICT", current: { plate: "FILE" } });
    });
  });

  test("what is wrong is named by its field, as load would", async () => {
    const database = await loaded();
    const before = await everyRow(database);
    const wrong = await failureOf(edit(database, [change("device", van.id, { imei: "1", name: "", vehicle_year: 3 })]));
    expect(wrong).toBeInstanceOf(WrongFields);
    expect(Object.keys((wrong as WrongFields).fields)).toEqual(["imei", "name", "vehicle_year"]);
    const tries: [RecordEdit, string][] = [
      [change("geofence", depot.id, { device_ids: [rivalVan.id] }), "device_ids[0]"],
      [change("device", van.id, { user_ids: [rita.id] }), "user_ids[0]"],
      [change("device", van.id, { imei: rivalVan.imei }), "imei"],
      [change("user", ann.id, { email: rita.email }), "email"],
      [change("user", ann.id, { role: "owner" }), "role"],
      [
        change("alert_settings", van.id, { rules: [{ alert_type: "geofence_exit", geofence_ids: [rivalYard.id] }] }),
        "rules[0].geofence_ids[0]",
      ],
      [change("geofence", depot.id, { radius_m: 200, valid_from: "2099-01-01T00:00:00Z" }), "valid_from"],
    ];
    for (const [wrongly, field] of tries) {
      expect(await failureOf(edit(database, [wrongly]))).toMatchObject({ field });
    }
    expect(await everyRow(database)).toEqual(before);
  });

  test("never reaches another account, whatever it names", async () => {
    const database = await loaded();
    const before = await everyRow(database);
    const { id: _, type: __, ...newDevice } = device(52, { account_id: rival.id });
    const { id: ___, type: ____, ...newFence } = circle(53, { account_id: rival.id });
    const others: RecordEdit[] = [
      change("account", rival.id, { name: "Mine" }),
      change("account", rival.id, { name: "Mine" }, null),
      change("account", uuid(99), { name: "New" }, null),
      change("user", rita.id, { name: "Mine" }),
      change("user", rita.id, { name: "Mine", email: "x@x.test", role: "sub_account" }, null),
      change("device", rivalVan.id, { name: "Mine" }),
      change("device", rivalVan.id, { ...newDevice, imei: rivalVan.imei }, null),
      change("geofence", rivalYard.id, { name: "Mine" }),
      change("geofence", rivalYard.id, newFence, null),
      change("alert_settings", rivalVan.id, { rules: [] }),
      change("alert_settings", rivalVan.id, { rules: [], valid_from: "always" }, null),
    ];
    for (const other of others) await failureOf(edit(database, [other]));
    expect(await everyRow(database)).toEqual(before);
    // What says that it is another account's becomes the person's own.
    await edit(database, [change("device", uuid(52), newDevice, null), change("geofence", uuid(53), newFence, null)]);
    const number = await accountNumber(database);
    const rows = await database.all(sql`
      select account_id from devices where id = ${uuid(52)} union all
      select account_id from geofences where id = ${uuid(53)}`);
    expect(rows).toEqual([{ account_id: number }, { account_id: number }]);
  });

  test("sets no password, by whatever field", async () => {
    const database = await loaded();
    const before = await everyRow(database);
    await edit(database, [change("user", ann.id, { password: "correct horse" })]);
    expect(await everyRow(database)).toEqual(before);
  });
});

onEachEngine("the versions that edits make", (engine) => {
  const loaded = engine.copies(({ database }) => load(database, fleet));
  const versions = async (database: Database) =>
    (
      await database.all<{ valid_from: number; radius_m: number }>(
        sql`select valid_from, radius_m from geofence_versions where geofence_id = ${depot.id} order by valid_from`,
      )
    ).map(({ valid_from, radius_m }) => [valid_from, radius_m]);
  const iso = (at: number) => new Date(at).toISOString();

  test("what a person says holds from the moment named, whatever was said about later", async () => {
    const { database } = await loaded();
    await edit(database, [change("geofence", depot.id, { radius_m: 200 })], {}, later);
    expect(await versions(database)).toEqual([
      [0, 100],
      [later, 200],
    ]);
    const past = loadedAt - hourMs;
    const moved = [change("geofence", depot.id, { radius_m: 300, valid_from: iso(past) }, 2)];
    await edit(database, moved, {}, later + 1);
    expect(await versions(database)).toEqual([
      [0, 100],
      [past, 300],
      [later, 300],
    ]);
  });

  test("a new fence holds from now on, from the moment named, or always", async () => {
    const { database } = await loaded();
    const { id: _, type: __, account_id: ___, ...fence } = circle(61, { device_ids: [van.id] });
    const begun = async (id: string, more: object) => {
      await edit(database, [change("geofence", id, { ...fence, ...more }, null)]);
      const rows = await database.all<{ valid_from: number; devices: number }>(sql`
        select v.valid_from, count(m.device) as devices
        from geofence_versions v
        left join geofence_assignments m
          on m.account_id = v.account_id and m.geofence_id = v.geofence_id and m.valid_from = v.valid_from
        where v.geofence_id = ${id} group by v.valid_from order by v.valid_from`);
      return rows.map(({ valid_from, devices }) => [valid_from, devices]);
    };
    expect(await begun(uuid(61), {})).toEqual([
      [0, 0],
      [later, 1],
    ]);
    expect(await begun(uuid(62), { valid_from: iso(loadedAt) })).toEqual([
      [0, 0],
      [loadedAt, 1],
    ]);
    expect(await begun(uuid(63), { valid_from: "always" })).toEqual([[0, 1]]);
  });
});
