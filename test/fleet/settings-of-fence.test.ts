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

  test("are shown without it once it is removed, and followers are told, both ways", async () => {
    const { database } = await engine.fresh();
    const limit = { alert_type: "speeding", parameters: { limit_kmh: 30 }, geofence_ids: [depot.id] };
    const forTag = { type: "alert_settings", account_id: acme.id, tag: "cold", rules: [limit] };
    await load(
      database,
      [...Object.values(smallFleet), { ...truck, tags: ["cold"] }, forTag].filter((r) => r !== truck),
    );
    const api = await startApi(database);
    try {
      const key = await keyOf(database, olga.email);
      const shown = async (id: string) => {
        const { body } = await api.get(`/devices/${id}/alert-settings`, key);
        return body.data.rules.filter(({ source }: { source: string }) => source === "set");
      };
      const before = { van: await shown(van.id), truck: await shown(truck.id) };
      expect(before.truck).toMatchObject([limit]);
      const told = await toldOf(database);
      const request = { accountId: await accountNumber(database), id: depot.id, by: { kind: "command" } as const };

      await removeGeofence(database, { ...request, revision: 1, isPreview: false }, loadedAt + hourMs);
      expect(JSON.stringify([await shown(van.id), await shown(truck.id)])).not.toContain(depot.id);
      // It still names the type, so that no other rules apply.
      expect(await shown(truck.id)).toMatchObject([{ alert_type: "speeding", geofence_ids: [], set_for: "tag" }]);
      const removed = await toldOf(database);
      const isNewer = (id: string) => (removed.get(id) ?? 0) > (told.get(id) ?? 0);
      expect([van.id, truck.id, car.id].map(isNewer)).toEqual([true, true, false]);

      await restoreGeofence(database, { ...request, revision: 2, isPreview: false }, loadedAt + 2 * hourMs);
      expect({ van: await shown(van.id), truck: await shown(truck.id) }).toEqual(before);
      const restored = await toldOf(database);
      expect([van.id, truck.id].map((id) => (restored.get(id) ?? 0) > (removed.get(id) ?? 0))).toEqual([true, true]);
    } finally {
      await api.close();
    }
  });
});
