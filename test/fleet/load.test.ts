import { expect, test } from "bun:test";
import { verifyPassword } from "../../src/access/passwords.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { countRows, everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { hourMs, load, loadedAt, smallFleet, user, uuid } from "../support/fleet.ts";

const fleet = Object.values(smallFleet);
const later = loadedAt + hourMs;
const nothing = { added: 0, changed: 0, unchanged: 0 };

onEachEngine("loading a fleet file", (engine) => {
  test("stores every kind of record and counts it", async () => {
    const { database } = await engine.fresh();
    expect(await load(database, fleet)).toEqual({
      accounts: { ...nothing, added: 2 },
      users: { ...nothing, added: 4 },
      devices: { ...nothing, added: 4 },
      drivers: nothing,
      geofences: { ...nothing, added: 2 },
      alert_settings: { ...nothing, added: 1 },
    });
    const counts = await Promise.all(
      ["accounts", "users", "device_directory", "devices", "assignments", "geofences", "geofence_versions"].map(
        (table) => countRows(database, table),
      ),
    );
    expect(counts).toEqual([2, 4, 4, 4, 3, 2, 2]);
    expect(await database.get(sql`select * from devices where id = ${smallFleet.van.id}`)).toMatchObject({
      imei: smallFleet.van.imei,
      name: "Van",
      plate: "AC ME 1",
      status: "active",
      vin: null,
      tags_json: "[]",
      external_ids_json: "{}",
      search_text: `VAN\n${smallFleet.van.imei}\nAC ME 1`,
      created_at: loadedAt,
      updated_at: loadedAt,
    });
  });

  test("sets an account's time zone, remembers those it had, and without one takes UTC", async () => {
    const { database } = await engine.fresh();
    const zones = () =>
      database.get(sql`select time_zone, earlier_time_zones from accounts where id = ${smallFleet.acme.id}`);
    const steps: readonly (readonly [time_zone: string | undefined, now: string, before: string])[] = [
      ["europe/berlin", "Europe/Berlin", ""],
      ["Europe/Berlin", "Europe/Berlin", ""],
      ["Asia/Kolkata", "Asia/Kolkata", "Europe/Berlin"],
      [undefined, "UTC", "Europe/Berlin Asia/Kolkata"],
      ["Europe/Berlin", "Europe/Berlin", "Asia/Kolkata UTC"],
    ];
    for (const [time_zone, now, before] of steps) {
      await load(database, [{ ...smallFleet.acme, time_zone }]);
      expect(await zones()).toEqual({ time_zone: now, earlier_time_zones: before });
    }
    const again = await load(database, [{ ...smallFleet.acme, time_zone: "Europe/Berlin" }]);
    expect(again.accounts).toEqual({ ...nothing, unchanged: 1 });
  });

  test("sets the limit of all keys of an account together, leaves it, and without it takes it away", async () => {
    const { database } = await engine.fresh();
    const limit = async () => {
      const row = await database.get<{ limit_account_per_day: number | null }>(
        sql`select limit_account_per_day from accounts where id = ${smallFleet.acme.id}`,
      );
      return row?.limit_account_per_day;
    };
    await load(database, fleet);
    expect(await limit()).toBeNull();
    const limited = { ...smallFleet.acme, limits: { ...smallFleet.acme.limits, account_per_day: 9_000 } };
    expect((await load(database, [limited])).accounts).toMatchObject({ changed: 1 });
    expect(await limit()).toBe(9_000);
    expect((await load(database, [limited])).accounts).toMatchObject({ unchanged: 1 });
    // A file that does not speak of the account says nothing of its limits.
    await load(database, [smallFleet.ann]);
    expect(await limit()).toBe(9_000);
    await load(database, [smallFleet.acme]);
    expect(await limit()).toBeNull();
  });

  test("finds what has changed, and leaves the rest", async () => {
    const { database } = await engine.fresh();
    await load(database, fleet);
    const changes = {
      acme: { ...smallFleet.acme, status: "suspended" },
      ann: { ...smallFleet.ann, status: "disabled" },
      van: { ...smallFleet.van, plate: null, tags: ["cold"] },
      depot: { ...smallFleet.depot, description: "The old one" },
      rules: { ...smallFleet.rules, rules: [] },
    };
    const summary = await load(database, Object.values({ ...smallFleet, ...changes }), later);
    expect(summary).toEqual({
      accounts: { added: 0, changed: 1, unchanged: 1 },
      users: { added: 0, changed: 1, unchanged: 3 },
      devices: { added: 0, changed: 1, unchanged: 3 },
      drivers: nothing,
      geofences: { added: 0, changed: 1, unchanged: 1 },
      alert_settings: { added: 0, changed: 1, unchanged: 0 },
    });
    const { acme, ann, van, depot } = smallFleet;
    for (const [table, { id }] of Object.entries({ accounts: acme, users: ann, devices: van, geofences: depot })) {
      const stamped = await database.all<{ id: string; created_at: number; updated_at: number }>(
        plainSql(`select id, created_at, updated_at from ${table}`),
      );
      for (const row of stamped) {
        expect({ table, ...row }).toEqual({
          table,
          id: row.id,
          created_at: loadedAt,
          updated_at: row.id === id ? later : loadedAt,
        });
      }
    }
    const row = await database.get(sql`select plate, tags_json from devices where id = ${smallFleet.van.id}`);
    expect(row).toEqual({ plate: null, tags_json: '["cold"]' });
  });

  test("counts a device that only other people see as changed", async () => {
    const { database } = await engine.fresh();
    await load(database, fleet);
    const van = { ...smallFleet.van, user_ids: [smallFleet.bob.id] };
    const truck = { ...smallFleet.truck, name: "Lorry", user_ids: [] };
    const { devices } = await load(database, [van, truck, smallFleet.car], later);
    expect(devices).toEqual({ added: 0, changed: 2, unchanged: 1 });
    expect(await database.all(sql`select user_id from assignments`)).toEqual([{ user_id: smallFleet.bob.id }]);
  });

  test("does not list the owner as one of those a device is assigned to", async () => {
    const { database } = await engine.fresh();
    const { acme, olga, van } = smallFleet;
    await load(database, [acme, olga, { ...van, user_ids: [olga.id] }]);
    expect(await countRows(database, "assignments")).toBe(0);
  });

  test("lets two devices trade their trackers", async () => {
    const { database } = await engine.fresh();
    await load(database, fleet);
    const { van, truck, rivalVan } = smallFleet;
    const traded = [
      { ...van, imei: truck.imei },
      { ...truck, imei: rivalVan.imei },
      { ...rivalVan, imei: van.imei },
    ];
    expect((await load(database, traded, later)).devices).toEqual({ ...nothing, changed: 3 });
    for (const table of [sql`devices`, sql`device_directory`]) {
      const rows = await database.all<{ id: string; imei: string }>(sql`select id, imei from ${table} order by id`);
      expect(rows.filter(({ id }) => id !== smallFleet.car.id)).toEqual(traded.map(({ id, imei }) => ({ id, imei })));
    }
  });

  test("lets two users trade their addresses and the ownership", async () => {
    const { database } = await engine.fresh();
    await load(database, fleet);
    const { olga, ann } = smallFleet;
    const traded = [
      { ...olga, email: ann.email, role: "sub_account" },
      { ...ann, email: "OLGA@acme.test", role: "owner" },
    ];
    expect((await load(database, traded, later)).users).toEqual({ ...nothing, changed: 2 });
    expect(
      await database.all(sql`select id, email, role from users where id in (${olga.id}, ${ann.id}) order by id`),
    ).toEqual([
      { id: olga.id, email: ann.email, role: "sub_account" },
      { id: ann.id, email: "OLGA@acme.test", role: "owner" },
    ]);
  });

  test("keeps the hash of a password that has not changed, and of one that is not named", async () => {
    const { database } = await engine.fresh();
    const withPassword = user(15, { password: "correct horse" });
    const hash = async () => {
      const row = await database.get<{ hash: string }>(
        sql`select password_hash as hash from users where id = ${uuid(15)}`,
      );
      return row?.hash ?? "";
    };
    await load(database, [smallFleet.acme, withPassword]);
    const first = await hash();
    expect(await verifyPassword("correct horse", first)).toBe(true);

    expect((await load(database, [withPassword, user(16)], later)).users).toEqual({
      ...nothing,
      added: 1,
      unchanged: 1,
    });
    expect((await load(database, [user(15)], later)).users).toEqual({ ...nothing, unchanged: 1 });
    expect(await hash()).toBe(first);

    const changed = await load(database, [user(15, { password: "battery staple" })], later);
    expect(changed.users).toEqual({ ...nothing, changed: 1 });
    expect(await verifyPassword("battery staple", await hash())).toBe(true);
    expect(await verifyPassword("correct horse", await hash())).toBe(false);
    const stored = JSON.stringify(await everyRow(database));
    for (const secret of ["correct horse", "battery staple"]) expect(stored).not.toContain(secret);
  });
});
