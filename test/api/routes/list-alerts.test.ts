import { expect, test } from "bun:test";
import type { AlertRow } from "../../../src/store/facts/alerts.ts";
import { seenBy, thatDay } from "../../support/api-fleet.ts";
import { iso, sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

function record(alert: AlertRow) {
  const isPanic = alert.alert_type === "sos";
  return {
    alert_id: alert.id,
    device_id: alert.device_id,
    imei: alert.imei,
    alert_type: alert.alert_type,
    severity: alert.severity,
    message: isPanic ? "The panic button was pressed" : "97 km/h where 80 are allowed",
    occurred_at: iso(alert.occurred_at),
    ended_at: isPanic ? null : "2026-06-15T12:00:30.000Z",
    received_at: "2026-06-15T12:00:01.000Z",
    latitude: 52,
    longitude: 13.3,
    speed_kmh: 97,
    value: isPanic ? null : 97,
    threshold: isPanic ? null : 80,
    unit: isPanic ? null : "km/h",
    geofence_id: alert.geofence_id,
    trip_id: alert.trip_id,
    acknowledged: isPanic,
    acknowledged_at: isPanic ? "2026-06-15T13:00:00.000Z" : null,
    acknowledged_by: alert.acknowledged_by,
    // An acknowledgement is a change, too.
    updated_at: isPanic ? "2026-06-15T13:00:00.000Z" : "2026-06-15T12:00:31.000Z",
  };
}

describeRoute(
  "listAlerts",
  () => ({ path: "/alerts", query: thatDay }),
  (world) => {
    const inOrder = (alerts: readonly AlertRow[]) =>
      sortedBy(
        alerts,
        (alert) => alert.occurred_at,
        (alert) => alert.id,
      ).map(record);

    test("lists every alert that was not withdrawn, in ascending time, ties by id", async () => {
      for (const viewer of ["olga", "anna", "ben", "otto"] as const) {
        const { body } = await world().get("/alerts?from=2026-06-15&to=2026-06-16", viewer);
        expect(body).toEqual({ data: inOrder(seenBy(world(), viewer, world().rows.alerts)), next_cursor: null });
      }
    });

    test("filters by acknowledgement, severity and type, together and with a device", async () => {
      const { van } = world().devices;
      const filters: [string, (alert: AlertRow) => boolean][] = [
        ["acknowledged=true", (alert) => alert.acknowledged_at !== null],
        ["acknowledged=false", (alert) => alert.acknowledged_at === null],
        ["severity=info", (alert) => alert.severity === "info"],
        ["severity=warning", (alert) => alert.severity === "warning"],
        ["severity=critical", (alert) => alert.severity === "critical"],
        ["alert_type=speeding", (alert) => alert.alert_type === "speeding"],
        ["alert_type=geofence_enter", (alert) => alert.alert_type === "geofence_enter"],
        ["severity=critical&acknowledged=true&alert_type=sos", (alert) => alert.alert_type === "sos"],
        ["severity=critical&acknowledged=false", () => false],
        [`severity=warning&imei=${van.imei}`, (alert) => alert.severity === "warning" && alert.imei === van.imei],
      ];
      for (const viewer of ["olga", "anna"] as const) {
        const seen = seenBy(world(), viewer, world().rows.alerts);
        for (const [query, fits] of filters) {
          const { body } = await world().get(`/alerts?from=2026-06-15&to=2026-06-16&${query}`, viewer);
          expect([query, body]).toEqual([query, { data: inOrder(seen.filter(fits)), next_cursor: null }]);
        }
      }
    });

    test("answers an unknown type with an empty page", async () => {
      for (const type of ["martians", "Speeding", "speed%25", "sos'", "%C3%9F", "x".repeat(200)]) {
        const { status, body } = await world().get(`/alerts?from=2026-06-15&to=2026-06-16&alert_type=${type}`);
        expect([status, body]).toEqual([200, { data: [], next_cursor: null }]);
      }
    });

    test("reads a window that is half-open", async () => {
      const typesIn = async (window: string) => {
        const { body } = await world().get(`/alerts?imei=${world().devices.van.imei}&${window}`);
        return body.data.map((alert: { alert_type: string }) => alert.alert_type);
      };
      expect(await typesIn("from=2026-06-15T12:00Z&to=2026-06-15T12:10Z")).toEqual(["speeding"]);
      expect(await typesIn("from=2026-06-15T12:00:00.001Z&to=2026-06-15T12:10:00.001Z")).toEqual(["sos"]);
    });
  },
);
