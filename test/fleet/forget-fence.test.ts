import { expect, test } from "bun:test";
import { removeGeofence, restoreGeofence } from "../../src/fleet/remove-geofence.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { accountViewer } from "../../src/store/viewers.ts";
import { keyOf, startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { hourMs, load, loadedAt, smallFleet } from "../support/fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";

const { olga, van, truck, car, depot, acme } = smallFleet;

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
});
