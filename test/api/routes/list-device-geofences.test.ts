import { expect, test } from "bun:test";
import { sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

describeRoute("listDeviceGeofences", (world) => {
  test("lists the fences of the device in ascending id, and whether it is inside", async () => {
    const { van, trailer, spare } = world().devices;
    const { yard, depot } = world().fences;
    for (const [device, fences] of [
      // The van's position is inside of the depot only; the trailer has none, and the spare no fence.
      [
        van,
        [
          { ...yard, inside: false },
          { ...depot, inside: true },
        ],
      ],
      [trailer, [{ ...yard, inside: null }]],
      [spare, []],
    ] as const) {
      const data = sortedBy<(typeof fences)[number]>(fences, (fence) => fence.id).map((fence) => ({
        geofence_id: fence.id,
        name: fence.name,
        assigned_at: "2026-06-15T12:00:00.000Z",
        inside: fence.inside,
      }));
      expect((await world().get(`/devices/${device.id}/geofences`)).body).toMatchObject({ data, next_cursor: null });
    }
  });
});
