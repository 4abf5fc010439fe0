import { expect, test } from "bun:test";
import type { TripRow } from "../../../src/store/facts/trips.ts";
import { seenBy, thatDay } from "../../support/api-fleet.ts";
import { iso, sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

function record({ id, device_id, started_at, ended_at }: TripRow) {
  const isOver = ended_at !== null;
  const running = { status: "in_progress", end: null, end_reason: null, duration_s: 3600, avg_speed_kmh: 12.3 };
  return { trip_id: id, device_id, started_at: iso(started_at), ended_at: iso(ended_at), ...(isOver ? {} : running) };
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
        expect(body).toMatchObject({ data: expected.map(record), next_cursor: null });
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
