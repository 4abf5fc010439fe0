import { expect, test } from "bun:test";
import type { LatestPositionRow } from "../../../src/store/frames/positions.ts";
import { seenBy } from "../../support/api-fleet.ts";
import { sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

function record({ device_id, name, plate, trip_id, geofence_ids_json }: LatestPositionRow) {
  return { device_id, name, plate, trip_id, geofence_ids: JSON.parse(geofence_ids_json ?? "") };
}

describeRoute(
  "listLatestPositions",
  () => ({ path: "/positions/latest" }),
  (world) => {
    test("lists the live position of every device that has one, in ascending device id", async () => {
      for (const [viewer, count] of [
        ["olga", 3],
        ["anna", 2],
        ["ben", 2],
        ["otto", 2],
      ] as const) {
        const expected = sortedBy(seenBy(world(), viewer, world().rows.positions), (position) => position.device_id);
        expect(expected).toHaveLength(count);
        const { body } = await world().get("/positions/latest", viewer);
        expect(body).toMatchObject({ data: expected.map(record), next_cursor: null });
      }
    });

    test("has an empty list for a device in sight without a position", async () => {
      const { trailer, spare } = world().devices;
      for (const { id } of [trailer, spare]) {
        const { status, body } = await world().get(`/positions/latest?device_id=${id}`);
        expect([status, body]).toEqual([200, { data: [], next_cursor: null }]);
      }
    });

    test("checks what else is wrong before it says that nothing has changed", async () => {
      const headers = { "If-None-Match": "*" };
      const { car } = world().devices;
      expect((await world().get("/positions/latest?limit=0", "anna", headers)).status).toBe(400);
      expect((await world().get(`/positions/latest?device_id=${car.id}`, "anna", headers)).status).toBe(404);
      expect((await world().api.get("/positions/latest", null, headers)).status).toBe(401);
    });
  },
);
