import { expect, test } from "bun:test";
import type { GeofenceEventRow } from "../../../src/store/facts/geofence-events.ts";
import { seenBy, thatDay } from "../../support/api-fleet.ts";
import { iso, sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

function record({ id, device_id, geofence_id, geofence_name, event_type, occurred_at }: GeofenceEventRow) {
  return { event_id: id, device_id, geofence_id, geofence_name, event_type, occurred_at: iso(occurred_at) };
}

describeRoute(
  "listGeofenceEvents",
  () => ({ path: "/geofence-events", query: thatDay }),
  (world) => {
    test("lists every crossing in ascending time, ties by id, with the fence's name", async () => {
      for (const viewer of ["olga", "anna", "ben", "otto"] as const) {
        const expected = sortedBy(
          seenBy(world(), viewer, world().rows.crossings),
          (event) => event.occurred_at,
          (event) => event.id,
        );
        const { body } = await world().get("/geofence-events?from=2026-06-15&to=2026-06-16", viewer);
        expect(body).toMatchObject({ data: expected.map(record), next_cursor: null });
      }
    });
  },
);
