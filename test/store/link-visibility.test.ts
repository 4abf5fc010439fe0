import { expect, test } from "bun:test";
import fc from "fast-check";
import { linkVisibility, visibilityOf, withTag } from "../../src/domain/visibility.ts";
import { visibleApiKeys } from "../../src/store/access/api-keys.ts";
import { alerts } from "../../src/store/facts/alerts.ts";
import { trips } from "../../src/store/facts/trips.ts";
import { deviceIdentity, visibleDevices } from "../../src/store/fleet/devices.ts";
import { geofences } from "../../src/store/fleet/geofences.ts";
import { subAccounts } from "../../src/store/fleet/users.ts";
import { vehiclesInSight } from "../../src/store/fleet/vehicles-in-sight.ts";
import { history, latestPositions } from "../../src/store/frames/positions.ts";
import { type DeviceName, sight, startWorld, stopWorld } from "../support/api-fleet.ts";
import { onEachEngine } from "../support/engines.ts";

const makers = ["olga", "anna", "ben"] as const;
const allDevices = ["van", "truck", "car", "trailer", "spare", "ferry", "barge"] as const satisfies DeviceName[];
const noPage = { after: null, count: 100 };
const always = { ...noPage, device: null, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
const noFilter = { severity: null, acknowledged: null, alertType: null, minValue: null, maxValue: null };

onEachEngine("the visibility of a share link", (engine) => {
  const given = engine.shared(startWorld, stopWorld);

  test("property: is what the link names and its maker sees, in every query, and nothing else of the account", async () => {
    const { store, users, devices } = given();
    const { database } = store;
    let shown = 0;
    const maker = fc.constantFrom(...makers);
    const named = fc.uniqueArray(fc.constantFrom(...allDevices), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(maker, named, async (who, names) => {
        const { account_id: accountId, id, role } = users[who];
        const own = visibilityOf({ accountId, id, role });
        const numbers = names.map((name) => devices[name].device);
        const visibility = linkVisibility(crypto.randomUUID(), own, numbers);
        const seen = new Set(names.filter((name) => sight[who].includes(name)).map((name) => devices[name].id));
        const only = (ids: readonly string[]) => new Set(ids).difference(seen);
        const sorted = [...seen].sort();

        expect((await vehiclesInSight(database, visibility, null)).map((row) => row.id).sort()).toEqual(sorted);
        const listed = await visibleDevices(database, visibility, { ...noPage, status: null, search: null });
        expect(listed.map((row) => row.id)).toEqual(sorted);
        const latest = await latestPositions(database, visibility, { ...noPage, device: null });
        expect(only(latest.map((row) => row.device_id))).toEqual(new Set());
        // Device by device, and among all rows of the account.
        const walked = { ...always, walksAccount: true };
        for (const narrowed of [visibility, withTag(visibility, "cold")]) {
          const found = await trips(database, narrowed, always);
          expect(only(found.map((row) => row.device_id))).toEqual(new Set());
          expect(await trips(database, narrowed, walked)).toEqual(found);
          const raised = await alerts(database, narrowed, { ...always, ...noFilter });
          expect(only(raised.map((row) => row.device_id))).toEqual(new Set());
          expect(await alerts(database, narrowed, { ...walked, ...noFilter })).toEqual(raised);
          shown += found.length + raised.length;
        }
        for (const name of allDevices) {
          const device = devices[name];
          const isSeen = seen.has(device.id);
          expect([name, (await deviceIdentity(database, visibility, { id: device.id })) !== null]).toEqual([
            name,
            isSeen,
          ]);
          const { count } = await history(database, visibility, { ...always, device, validOnly: false });
          if (!isSeen) expect([name, count]).toEqual([name, 0]);
        }
        // No fences, people or keys; and a tag narrows it further, never widens it.
        expect(await geofences(database, visibility, noPage)).toEqual([]);
        expect(await subAccounts(database, visibility, noPage)).toEqual([]);
        expect(await visibleApiKeys(database, visibility, 0)).toEqual([]);
        const cold = await vehiclesInSight(database, withTag(visibility, "cold"), null);
        expect(cold.map((row) => row.id)).toEqual(seen.has(devices.van.id) ? [devices.van.id] : []);
      }),
      { numRuns: engine.name === "sqlite" ? 40 : 12 },
    );
    expect(shown).toBeGreaterThan(0);
  });
});
