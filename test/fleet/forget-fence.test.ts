import { expect, test } from "bun:test";
import { removeGeofence, restoreGeofence } from "../../src/fleet/edit/remove-geofence.ts";
import { accountViewer } from "../../src/store/changes/viewers.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { keyOf, startApi } from "../support/api.ts";
import { derivedTables } from "../support/derived-tables.ts";
import { onEachEngine } from "../support/engines.ts";
import { exportedText, recordsIn } from "../support/exported-fleet.ts";
import { circle, type FleetRecord, hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { home } from "../support/ingest-fleet.ts";
import { accountNumber, newWriter, take } from "../support/ingest-node.ts";

const { olga, ann, bob, van, truck, car, depot, acme } = smallFleet;
const day = (number: number) => loadedAt + number * 24 * hourMs;

onEachEngine("rules that name a fence", (engine) => {
  const toldOf = async (database: Database) =>
    new Map(
      (
        await database.all<{ id: string; number: number }>(
          sql`select id, number from viewer_records where type = 'alert_settings' and user_id = ${accountViewer} order by id`,
        )
      ).map(({ id, number }) => [id, number]),
    );

  test("do not any more once it is removed, and followers are told", async () => {
    const { database } = await engine.fresh();
    const limit = { alert_type: "speeding", parameters: { limit_kmh: 30 }, geofence_ids: [depot.id] };
    const forAll = { type: "alert_settings", account_id: acme.id, rules: [{ ...limit, geofence_ids: [] }] };
    const forTag = { type: "alert_settings", account_id: acme.id, tag: "cold", rules: [limit] };
    await load(
      database,
      [...Object.values(smallFleet), { ...truck, tags: ["cold"] }, forTag, forAll].filter((r) => r !== truck),
    );
    const api = await startApi(database);
    try {
      const key = await keyOf(database, olga.email);
      const shown = async (id: string) => {
        const { body } = await api.get(`/devices/${id}/alert-settings`, key);
        return body.data.rules.filter(({ source }: { source: string }) => source === "set");
      };
      expect(await shown(truck.id)).toMatchObject([limit]);
      const told = await toldOf(database);
      const request = { accountId: await accountNumber(database), id: depot.id, by: { kind: "command" } as const };

      await removeGeofence(database, { ...request, revision: 1, isPreview: false }, loadedAt + hourMs);
      const without = [{ alert_type: "speeding", geofence_ids: [], set_for: "device" }];
      expect(await shown(van.id)).toMatchObject(without);
      // The rule held only there, so that of the account holds now.
      expect(await shown(truck.id)).toMatchObject([{ alert_type: "speeding", set_for: "account" }]);
      const removed = await toldOf(database);
      const isNewer = (id: string) => (removed.get(id) ?? 0) > (told.get(id) ?? 0);
      expect([van.id, truck.id, car.id].map(isNewer)).toEqual([true, true, false]);
      const changed = await database.all(
        sql`select id from audit_log where action = 'alert_settings.changed' order by id`,
      );
      expect(changed).toEqual([{ id: van.id }, { id: "tag:cold" }]);

      await restoreGeofence(database, { ...request, revision: 2, isPreview: false }, loadedAt + 2 * hourMs);
      expect(await shown(van.id)).toMatchObject(without);
    } finally {
      await api.close();
    }
  });

  test("of one tag leave those of another in force once it is removed, here and where the fleet is loaded", async () => {
    const one = (await engine.fresh()).database;
    const limit = (limit_kmh: number) => ({ alert_type: "speeding", parameters: { limit_kmh } });
    const away = circle(33, { device_ids: [truck.id], geometry: { type: "Point", coordinates: [1, 1] } });
    const ofTag = (tag: string, ...rules: FleetRecord[]) => ({
      type: "alert_settings",
      account_id: acme.id,
      tag,
      rules,
    });
    const tagged = { ...truck, tags: ["a", "b"] };
    const fleet = [{ ...acme, limits: { per_second: 100_000, per_day: 1_000_000 } }, olga, ann, bob, tagged, away];
    await load(one, [...fleet, ofTag("a", limit(20)), ofTag("b", { ...limit(90), geofence_ids: [away.id] })]);
    const drive = { imei: truck.imei, from: home, minutes: 10, kmh: 72 };
    const drives = [straightDrive({ ...drive, beginAt: loadedAt }), straightDrive({ ...drive, beginAt: day(2) })];
    await take(one, drives);
    const alerts = async (database: Database) => {
      await newWriter(database).schedule.deriveLeft();
      const { alerts } = await derivedTables(database);
      return alerts.map(({ alert_type, threshold, value, occurred_at }) => ({
        alert_type,
        threshold,
        value,
        occurred_at,
      }));
    };
    const before = await alerts(one);
    expect(before.filter(({ alert_type }) => alert_type === "speeding")).toHaveLength(2);

    const request = { accountId: await accountNumber(one), id: away.id, by: { kind: "command" } as const };
    await removeGeofence(one, { ...request, revision: 1, isPreview: false }, day(1));
    expect(await alerts(one)).toEqual(before);
    const other = (await engine.fresh()).database;
    await load(other, recordsIn(await exportedText(one)), day(3));
    await take(other, drives);
    expect(await alerts(other)).toEqual(before);
    // Something else of the tag changes, from before the removal.
    const idling = ofTag("b", { alert_type: "towing", enabled: false });
    await load(one, [{ ...idling, valid_from: new Date(loadedAt).toISOString() }], day(3), undefined, true);
    expect(await alerts(one)).toEqual(before);
  });
});
