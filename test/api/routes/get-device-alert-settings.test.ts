import { expect, test } from "bun:test";
import type { AlertRule } from "../../../src/domain/fleet.ts";
import { describeRoute } from "../../support/route-suite.ts";
import { noon } from "../../support/seed-rows.ts";

describeRoute(
  "getDeviceAlertSettings",
  ({ devices }) => ({ path: `/devices/${devices.van.id}/alert-settings` }),
  (world) => {
    test("answers with the device's rules, each with the severity that holds", async () => {
      const { van } = world().devices;
      const { depot } = world().fences;
      const rule = {
        alert_type: "speeding",
        enabled: true,
        severity: "warning",
        parameters: { limit_kmh: 80 },
        geofence_ids: [depot.id],
      };
      for (const viewer of ["olga", "anna"] as const) {
        expect((await world().get(`/devices/${van.id}/alert-settings`, viewer)).body).toEqual({
          data: { device_id: van.id, imei: van.imei, rules: [rule], updated_at: "2026-06-15T12:00:00.000Z" },
        });
      }
    });

    test("has no rules for a device that none were set for", async () => {
      const { spare } = world().devices;
      expect((await world().get(`/devices/${spare.imei}/alert-settings`, "ben")).body).toEqual({
        data: { device_id: spare.id, imei: spare.imei, rules: [], updated_at: null },
      });
    });

    test("leaves out a rule whose fences a sub-account cannot see, and names of another those that it sees", async () => {
      const { seed, store, devices, fences } = world();
      const { depot, harbour, nobodys } = fences;
      const rule = (alertType: "speeding" | "idling" | "sos", ...geofenceIds: string[]): AlertRule => {
        return { alertType, enabled: true, severity: null, parameters: {}, geofenceIds };
      };
      const rules = [rule("speeding", depot.id, harbour.id), rule("idling", nobodys.id), rule("sos")];
      seed.alertSettings(devices.truck, rules, noon + 1);
      await seed.save(store.database);
      for (const [viewer, shown] of [
        [
          "olga",
          [
            ["speeding", [depot.id, harbour.id]],
            ["idling", [nobodys.id]],
            ["sos", []],
          ],
        ],
        [
          "anna",
          [
            ["speeding", [depot.id]],
            ["sos", []],
          ],
        ],
        [
          "ben",
          [
            ["speeding", [harbour.id]],
            ["sos", []],
          ],
        ],
      ] as const) {
        const { body } = await world().get(`/devices/${devices.truck.id}/alert-settings`, viewer);
        const { data } = body as { data: { rules: { alert_type: string; geofence_ids: string[] }[] } };
        expect(data.rules.map(({ alert_type, geofence_ids }) => [alert_type, geofence_ids])).toEqual(shown as never);
      }
    });
  },
);
