import { expect, test } from "bun:test";
import type { TripRow } from "../../../src/store/facts/trips.ts";
import { seenBy, thatDay } from "../../support/api-fleet.ts";
import { iso, sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

function record(trip: TripRow) {
  const isOver = trip.ended_at !== null;
  return {
    trip_id: trip.id,
    device_id: trip.device_id,
    imei: trip.imei,
    status: isOver ? "completed" : "in_progress",
    started_at: iso(trip.started_at),
    ended_at: iso(trip.ended_at),
    start: { latitude: 52, longitude: 13.3 },
    end: isOver ? { latitude: 52.1, longitude: 13.4 } : null,
    distance_km: 12.345678,
    duration_s: isOver ? 1800 : 3600,
    idle_s: 60,
    max_speed_kmh: 89.5,
    avg_speed_kmh: isOver ? 24.7 : 12.3,
    start_odometer_km: 100,
    end_odometer_km: 112.345,
    position_count: 120,
    has_gap: false,
    end_reason: isOver ? "ignition_off" : null,
    received_at: "2026-06-15T11:59:59.000Z",
    updated_at: "2026-06-15T12:00:00.000Z",
  };
}

describeRoute(
  "listTrips",
  () => ({ path: "/trips", query: thatDay }),
  (world) => {
    const idsIn = async (window: string) => {
      const { van } = world().devices;
      const { body } = await world().get(`/trips?imei=${van.imei}&${window}`);
      return body.data.map((trip: { trip_id: string }) => trip.trip_id);
    };

    test("lists every trip in ascending start, ties by id", async () => {
      for (const viewer of ["olga", "anna", "ben", "otto"] as const) {
        const expected = sortedBy(
          seenBy(world(), viewer, world().rows.trips),
          (trip) => trip.started_at,
          (trip) => trip.id,
        );
        const { body } = await world().get("/trips?from=2026-06-15&to=2026-06-16", viewer);
        expect(body).toEqual({ data: expected.map(record), next_cursor: null });
      }
    });

    test("counts a trip to the window if it overlaps it, which is half-open", async () => {
      const [over, underWay] = seenBy(world(), "anna", world().rows.trips).map((trip) => trip.id);
      // The first one lasts from 11:30 to 12:00; the second one began at 12:10 and goes on.
      expect(await idsIn("from=2026-06-15T11:00Z&to=2026-06-15T11:30Z")).toEqual([]);
      expect(await idsIn("from=2026-06-15T11:00Z&to=2026-06-15T11:30:00.001Z")).toEqual([over]);
      expect(await idsIn("from=2026-06-15T11:59:59.999Z&to=2026-06-15T12:05Z")).toEqual([over]);
      expect(await idsIn("from=2026-06-15T12:00Z&to=2026-06-15T12:10Z")).toEqual([]);
      expect(await idsIn("from=2026-06-15T11:40Z&to=2026-06-15T11:50Z")).toEqual([over]);
      expect(await idsIn("from=2026-06-15T12:10Z&to=2026-06-15T12:11Z")).toEqual([underWay]);
      expect(await idsIn("from=2026-07-01&to=2026-07-02")).toEqual([underWay]);
    });
  },
);
