import { expect, test } from "bun:test";
import { describeRoute } from "../../support/route-suite.ts";

describeRoute("listLatestPositions", (world) => {
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
});
