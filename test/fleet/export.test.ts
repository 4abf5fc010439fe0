import { expect, test } from "bun:test";
import { hashPassword } from "../../src/access/passwords.ts";
import { keyOf } from "../support/api.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { exportedText, recordsIn } from "../support/exported-fleet.ts";
import { circle, device, type FleetRecord, hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";
import { tokenOf } from "../support/ingest-port.ts";
import { fixtureVersions, placeFixture } from "../support/store-fixture.ts";

const { acme, olga, ann, bob, van, truck, car, depot, rules } = smallFleet;
const iso = (at: number) => new Date(at).toISOString();

onEachEngine("an exported fleet", (engine) => {
  test("says everything that was loaded, in the order of a fleet file, without what is not set", async () => {
    const { database } = await engine.fresh();
    const hash = await hashPassword("correct horse");
    const full = device(25, {
      plate: "P",
      status: "blocked",
      vin: "V",
      vehicle_make: "Ford",
      vehicle_model: "Transit",
      vehicle_year: 2020,
      vehicle_type: "van",
      tracker_model: "T",
      tracker_clock: "Europe/Berlin",
      tracker_id: "013812345678",
      tracker_protocol: "jt808",
      fuel_tank_capacity_l: 70.5,
      tags: ["z", "a"],
      external_ids: { z: "1", a: "2" },
      user_ids: [bob.id, ann.id],
    });
    const fleet = [acme, { ...olga, password_hash: hash }, ann, bob, van, truck, car, full, depot, rules];
    await load(database, fleet);
    const lines = recordsIn(await exportedText(database));
    expect(lines).toEqual([
      { ...acme, status: "active", time_zone: "UTC" },
      { ...olga, status: "active", password_hash: hash },
      { ...ann, status: "active" },
      { ...bob, status: "active" },
      { ...van, status: "active" },
      { ...truck, status: "active" },
      { ...car, status: "active" },
      { ...full, user_ids: [ann.id, bob.id] },
      depot,
      {
        ...rules,
        rules: [
          { alert_type: "geofence_exit", enabled: true, geofence_ids: [depot.id] },
          { alert_type: "speeding", enabled: true },
        ],
      },
    ]);
  });

  test("has all versions, but none that repeats the one before", async () => {
    const { database } = await engine.fresh();
    const [one, two, three] = [0, 1, 2].map((hours) => iso(loadedAt - (3 - hours) * hourMs));
    const versions = [
      circle(41, { radius_m: 100 }),
      circle(41, { radius_m: 200, valid_from: one }),
      circle(41, { radius_m: 300, valid_from: two, device_ids: [van.id] }),
    ];
    const settings = [
      { type: "alert_settings", device_id: van.id, rules: [{ alert_type: "towing", enabled: false }], valid_from: one },
      { type: "alert_settings", device_id: van.id, rules: [], valid_from: three },
    ];
    await load(database, [acme, olga, ann, van, ...versions, ...settings]);
    const history = async () => recordsIn(await exportedText(database)).slice(4);
    expect(await history()).toEqual([...versions, ...settings]);
    // As if the second had never been: it is stored, but says nothing new.
    await load(database, [{ ...circle(41, { radius_m: 100, valid_from: one }) }], loadedAt);
    expect(await history()).toEqual([versions[0], versions[2], ...settings]);
  });

  test("gives the same bytes, however the same fleet came about", async () => {
    const [one, other] = [(await engine.fresh()).database, (await engine.fresh()).database];
    const fleet: FleetRecord[] = Object.values(smallFleet);
    const towing = { rules: [{ alert_type: "towing", enabled: false }] };
    const settings: FleetRecord[] = [
      { type: "alert_settings", account_id: acme.id, ...towing },
      ...["é", "Z", "a"].map((tag) => ({ type: "alert_settings", account_id: acme.id, tag, ...towing })),
      ...[truck, car].map(({ id }) => ({ type: "alert_settings", device_id: id, ...towing })),
    ];
    await load(one, [...fleet, ...settings]);
    await load(other, [acme, smallFleet.rival]);
    for (const record of fleet.toReversed().filter(({ type }) => type === "user")) await load(other, [record]);
    for (const record of fleet.toReversed().filter(({ type }) => type === "device")) await load(other, [record]);
    for (const record of fleet.toReversed().filter(({ type }) => type === "geofence")) await load(other, [record]);
    await load(other, [{ ...van, plate: "X", user_ids: [] }, rules], loadedAt + hourMs);
    await load(other, [van], loadedAt + 2 * hourMs);
    for (const record of settings.toReversed()) await load(other, [record]);
    const text = await exportedText(one);
    expect(await exportedText(other)).toBe(text);
    const exportedSettings = recordsIn(text).filter(({ type }) => type === "alert_settings");
    const scopes = exportedSettings.map(({ device_id, tag }) => device_id ?? tag ?? "all");
    expect(scopes).toEqual(["all", "Z", "a", "é", van.id, truck.id, car.id]);
  });

  for (const version of fixtureVersions) {
    test(`of a store that ${version} wrote is the same in the store that it is loaded into`, async () => {
      const store = await engine.empty();
      await placeFixture(version, engine.name, store);
      const text = await exportedText(await store.open());
      const copy = (await engine.fresh()).database;
      await load(copy, recordsIn(text), Date.now());
      expect(await exportedText(copy)).toBe(text);
    });
  }

  test("has no key, token, session or other secret, and nothing of another account", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    const secrets = [await keyOf(database, olga.email), await tokenOf(database)];
    const text = await exportedText(database);
    for (const secret of secrets) expect(text).not.toContain(secret);
    const rows = await everyRow(database);
    for (const table of ["api_keys", "ingest_tokens", "secrets", "sessions", "one_time_links", "audit_log"]) {
      for (const row of rows[table] ?? []) {
        for (const [column, value] of Object.entries(JSON.parse(row))) {
          if (/hash|secret|prefix|token/.test(column) && typeof value === "string") expect(text).not.toContain(value);
        }
      }
    }
    const own = await exportedText(database, acme.id);
    expect(text.startsWith(own)).toBe(true);
    for (const { id } of [smallFleet.rival, smallFleet.rita, smallFleet.rivalVan]) expect(own).not.toContain(id);
  });

  test("of a user who became the owner names nobody who sees everything anyway", async () => {
    const { database } = await engine.fresh();
    await load(database, Object.values(smallFleet));
    await load(database, [
      { ...olga, role: "sub_account" },
      { ...ann, role: "owner" },
    ]);
    const text = await exportedText(database);
    const summary = await load(database, recordsIn(text), loadedAt + hourMs);
    expect(summary.devices).toMatchObject({ added: 0, changed: 0 });
    const copy = (await engine.fresh()).database;
    await load(copy, recordsIn(text));
    expect(await exportedText(copy)).toBe(text);
  });

  test("is read as of one moment, whatever is changed meanwhile", async () => {
    const { database } = await engine.fresh();
    const many = Array.from({ length: 300 }, (_, index) => device(1_000 + index, { plate: "one" }));
    await load(database, [acme, olga, ...many]);
    const swaps = (async () => {
      for (let round = 0; round < 5; round++) {
        const plate = round % 2 === 0 ? "two" : "one";
        await load(
          database,
          many.map((record) => ({ ...record, plate })),
          loadedAt + round,
        );
      }
    })();
    for (let round = 0; round < 5; round++) {
      const lines = recordsIn(await exportedText(database));
      expect(new Set(lines.filter(({ type }) => type === "device").map(({ plate }) => plate)).size).toBe(1);
    }
    await swaps;
  });
});
