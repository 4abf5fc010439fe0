import { expect, test } from "bun:test";
import type { AlertRow } from "../../../src/store/facts/alerts.ts";
import { seenBy } from "../../support/api-fleet.ts";
import { sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

/** All its fields: examples.test.ts and records.test.ts. */
function record({ id, device_id, acknowledged_by, alert_type }: AlertRow) {
  const isPanic = alert_type === "sos";
  // An acknowledgement is a change, too.
  const updated_at = isPanic ? "2026-06-15T13:00:00.000Z" : "2026-06-15T12:00:31.000Z";
  return { alert_id: id, device_id, alert_type, acknowledged: isPanic, acknowledged_by, updated_at };
}

describeRoute("listAlerts", (world) => {
  const inOrder = (alerts: readonly AlertRow[]) =>
    sortedBy(
      alerts,
      (alert) => alert.occurred_at,
      (alert) => alert.id,
    ).map(record);

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
        expect([query, body]).toMatchObject([query, { data: inOrder(seen.filter(fits)), next_cursor: null }]);
      }
    }
  });

  test("answers an unknown type with an empty page", async () => {
    for (const type of ["martians", "Speeding", "speed%25", "sos'", "%C3%9F", "x".repeat(200)]) {
      const { status, body } = await world().get(`/alerts?from=2026-06-15&to=2026-06-16&alert_type=${type}`);
      expect([status, body]).toEqual([200, { data: [], next_cursor: null }]);
    }
  });
});
