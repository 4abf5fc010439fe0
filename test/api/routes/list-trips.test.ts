import { expect, test } from "bun:test";
import { seenBy } from "../../support/api-fleet.ts";
import { describeRoute } from "../../support/route-suite.ts";

describeRoute("listTrips", (world) => {
  const idsIn = async (window: string) => {
    const { van } = world().devices;
    const { body } = await world().get(`/trips?imei=${van.imei}&${window}`);
    return body.data.map((trip: { trip_id: string }) => trip.trip_id);
  };

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
});
