import { expect, test } from "bun:test";
import { describeRoute } from "../../support/route-suite.ts";

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
  },
);
