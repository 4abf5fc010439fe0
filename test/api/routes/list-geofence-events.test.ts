import { expect, test } from "bun:test";
import type { GeofenceEventRow } from "../../../src/store/facts/geofence-events.ts";
import { seenBy, thatDay } from "../../support/api-fleet.ts";
import { iso, sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

function record(event: GeofenceEventRow) {
  return {
    event_id: event.id,
    device_id: event.device_id,
    imei: event.imei,
    geofence_id: event.geofence_id,
    geofence_name: event.geofence_name,
    event_type: event.event_type,
    occurred_at: iso(event.occurred_at),
    latitude: 52,
    longitude: 13.3,
    speed_kmh: 32,
    interpolated: false,
    time_uncertainty_s: 0,
    dwell_s: event.event_type === "exit" ? 1800 : null,
    received_at: "2026-06-15T12:00:01.000Z",
    updated_at: "2026-06-15T12:00:01.000Z",
  };
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
        expect(body).toEqual({ data: expected.map(record), next_cursor: null });
      }
    });

    test("reads a window that is half-open", async () => {
      const typesIn = async (window: string) => {
        const { body } = await world().get(`/geofence-events?imei=${world().devices.van.imei}&${window}`);
        return body.data.map((event: { event_type: string }) => event.event_type);
      };
      expect(await typesIn("from=2026-06-15T12:10Z&to=2026-06-15T12:40Z")).toEqual(["enter"]);
      expect(await typesIn("from=2026-06-15T12:10:00.001Z&to=2026-06-15T12:40:00.001Z")).toEqual(["exit"]);
    });
  },
);
