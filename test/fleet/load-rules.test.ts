import { expect, test } from "bun:test";
import { accountLine, alertSettingsLines, deviceLines, geofenceLines, userLines } from "../../src/fleet/parse/lines.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { device, type FleetRecord, hourMs, load, loadedAt, smallFleet, uuid } from "../support/fleet.ts";

const { acme, olga, ann, bob, van, truck, car, depot, rival, rita, rivalYard, rivalVan } = smallFleet;
const coldVan = { ...van, tags: ["cold", "north"] };
const fleet = [acme, olga, ann, bob, coldVan, truck, car, depot];

function rulesFor(scope: FleetRecord, ...rules: FleetRecord[]): FleetRecord {
  return { type: "alert_settings", ...scope, rules };
}

const limit = (limit_kmh: number): FleetRecord => ({ alert_type: "speeding", parameters: { limit_kmh } });
const ofTag = (tag: string, ...rules: FleetRecord[]) => rulesFor({ account_id: acme.id, tag }, ...rules);
const ofAll = (...rules: FleetRecord[]) => rulesFor({ account_id: acme.id }, ...rules);

async function warningsOf(database: Database, records: readonly FleetRecord[]): Promise<string[]> {
  const warnings: string[] = [];
  await load(database, records, loadedAt, (warning) => warnings.push(warning));
  return warnings;
}

function failureOf(database: Database, records: readonly FleetRecord[], now = loadedAt): Promise<string> {
  return load(database, records, now).then(
    () => "loaded",
    (error: Error) => error.message,
  );
}

function tagVersions(database: Database, id: string) {
  return database.all<{ valid_from: number; tags_json: string }>(sql`
    select v.valid_from, v.tags_json from device_tag_versions v join devices d on d.account_id = v.account_id and d.device = v.device
    where d.id = ${id} order by v.valid_from`);
}

onEachEngine("rules for a tag or for all", (engine) => {
  test("are stored as versions, and loading them twice changes nothing", async () => {
    const { database } = await engine.fresh();
    const lines = [
      ...fleet,
      ofAll(limit(90)),
      { ...ofAll(limit(80)), valid_from: "2026-02-01" },
      ofTag("cold", { alert_type: "temperature_high", parameters: { above_c: 8 } }),
    ];
    expect((await load(database, lines)).alert_settings).toEqual({ added: 2, changed: 0, unchanged: 0 });
    const stored = await everyRow(database);
    expect((await load(database, lines, loadedAt + hourMs)).alert_settings).toEqual({
      added: 0,
      changed: 0,
      unchanged: 2,
    });
    expect(await everyRow(database)).toEqual(stored);
    const versions = await database.all(sql`select tag, valid_from from rule_versions order by tag, valid_from`);
    expect(versions).toEqual([
      { tag: "", valid_from: 0 },
      { tag: "", valid_from: Date.UTC(2026, 1, 1) },
      { tag: "cold", valid_from: 0 },
    ]);
  });

  test("name exactly one device or account, and stay within the account", async () => {
    const { database } = await engine.fresh();
    await load(database, [...fleet, rival, rita, rivalVan, rivalYard]);
    const both = rulesFor({ device_id: van.id, account_id: acme.id });
    expect(await failureOf(database, [both])).toContain("either device_id or account_id, not both");
    expect(await failureOf(database, [rulesFor({ device_id: van.id, tag: "cold" })])).toContain(
      'field "tag": expected no tag beside a device_id',
    );
    expect(await failureOf(database, [rulesFor({})])).toContain("a device_id, or the account_id");
    expect(await failureOf(database, [rulesFor({ account_id: uuid(9) })])).toContain(
      "expected the id of an account that is in this file or stored",
    );
    const foreign = ofTag("cold", { alert_type: "geofence_exit", geofence_ids: [rivalYard.id] });
    expect(await failureOf(database, [foreign])).toContain("expected the id of a geofence of the account");
    expect(await failureOf(database, [ofTag("cold"), ofTag("cold")])).toContain(
      `field "account_id": ${acme.id} with tag "cold" is used by line 1 already (two versions need different valid_from)`,
    );
  });

  test("are warned of where no device has the tag, or none is assigned to a fence of theirs", async () => {
    const { database } = await engine.fresh();
    const lone = { ...depot, id: uuid(39), device_ids: [car.id] };
    const exit = { alert_type: "geofence_exit", geofence_ids: [lone.id] };
    const lines = [...fleet, lone, ofTag("cold", exit), ofTag("clod", limit(50)), ofAll(exit)];
    expect(await warningsOf(database, lines)).toEqual([
      `line 10: the geofence_exit rule of tag "cold" cannot apply: none of the devices is assigned to one of its geofences (${lone.id})`,
      'line 11: the rules of tag "clod" cannot apply: no device has this tag',
    ]);
  });
});

onEachEngine("the tags of a device", (engine) => {
  test("have versions once they change, whatever their order", async () => {
    const { database } = await engine.fresh();
    await load(database, fleet);
    await load(database, [{ ...van, tags: ["north", "cold"] }], loadedAt + hourMs);
    expect(await tagVersions(database, van.id)).toEqual([]);
    await load(database, [{ ...van, tags: ["north"] }], loadedAt + 2 * hourMs);
    await load(database, [{ ...van, tags: [] }], loadedAt + 3 * hourMs);
    expect((await tagVersions(database, van.id)).map((row) => [row.valid_from, JSON.parse(row.tags_json)])).toEqual([
      [0, ["north", "cold"]],
      [loadedAt + 2 * hourMs, ["north"]],
      [loadedAt + 3 * hourMs, []],
    ]);
  });

  test("may be loaded with their history, which replaces the stored one", async () => {
    const { database } = await engine.fresh();
    await load(database, fleet);
    await load(database, [{ ...van, tags: [] }], loadedAt + hourMs);
    const history = [{ tags: ["a"] }, { valid_from: "2026-01-05T00:00:00Z", tags: ["b"] }];
    const line = { ...van, tags: ["b"], tag_versions: history };
    expect((await load(database, [line], loadedAt + 2 * hourMs)).devices).toEqual({
      added: 0,
      changed: 1,
      unchanged: 0,
    });
    expect((await load(database, [line], loadedAt + 3 * hourMs)).devices).toEqual({
      added: 0,
      changed: 0,
      unchanged: 1,
    });
    expect(await tagVersions(database, van.id)).toEqual([
      { valid_from: 0, tags_json: '["a"]' },
      { valid_from: Date.UTC(2026, 0, 5), tags_json: '["b"]' },
    ]);
    const other = device(70, { tags: ["b"], tag_versions: history });
    await load(database, [other], loadedAt + 4 * hourMs);
    expect(await tagVersions(database, other.id)).toHaveLength(2);
    expect(await failureOf(database, [{ ...line, tags: ["c"] }])).toContain("the tags of the newest of tag_versions");
    const toCome = [{ tags: [] }, { valid_from: "2027-01-05", tags: ["b"] }];
    expect(await failureOf(database, [{ ...line, tag_versions: toCome }])).toContain(
      'field "tag_versions[1].valid_from": must be at most 5 minutes in the future',
    );
  });
});

onEachEngine("a fleet written as lines", (engine) => {
  test("has the same rules at all times where it is loaded", async () => {
    const one = await engine.fresh();
    await load(one.database, [...fleet, ofAll(limit(90)), ofTag("cold", limit(80))]);
    await load(
      one.database,
      [
        { ...van, tags: ["north"] },
        { ...car, tags: ["cold"] },
      ],
      loadedAt + hourMs,
    );
    await load(
      one.database,
      [ofTag("cold", limit(70)), rulesFor({ device_id: truck.id }, limit(50))],
      loadedAt + 2 * hourMs,
    );
    const account =
      (await one.database.get<{ account_id: number }>(sql`select account_id from accounts`))?.account_id ?? 0;
    const lines = [
      await accountLine(one.database, account),
      ...(await userLines(one.database, account, null)),
      ...(await deviceLines(one.database, account, null)),
      ...(await geofenceLines(one.database, account, null)),
      ...(await alertSettingsLines(one.database, account, null)),
    ];
    const other = await engine.fresh();
    await load(other.database, lines, loadedAt + 3 * hourMs);
    const said = async (database: Database) => ({
      rules: await database.all(sql`select tag, valid_from, rules_json from rule_versions order by tag, valid_from`),
      own: await database.all(sql`
        select d.id, v.valid_from, v.rules_json from alert_settings_versions v
        join devices d on d.account_id = v.account_id and d.device = v.device
        order by d.id, v.valid_from`),
      tags: await Promise.all([van, truck, car].map(({ id }) => tagVersions(database, id))),
    });
    expect(await said(other.database)).toEqual(await said(one.database));
    expect((await load(one.database, lines, loadedAt + 4 * hourMs)).devices.changed).toBe(0);
    expect(await said(one.database)).toEqual(await said(other.database));
  });
});
