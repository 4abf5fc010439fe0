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

  test("has one page of the nearest with their distances, and a tag of its own, if a place is named", async () => {
    const { get } = world();
    const plain = await get("/positions/latest");
    const { latitude, longitude } = plain.body.data[0];
    const path = `/positions/latest?near=${latitude},${longitude}`;
    const near = await get(path);
    expect(near.body.next_cursor).toBeNull();
    const rows: { distance_m: number; device_id: string }[] = near.body.data;
    expect(rows).toEqual(plain.body.data.map((row: object) => ({ ...row, distance_m: 0 })));
    expect(near.headers.get("ETag")).not.toBe(plain.headers.get("ETag"));
    const again = await get(path, "olga", { "If-None-Match": near.headers.get("ETag") ?? "" });
    expect(again.status).toBe(304);
    expect((await get(`${path}&limit=1`)).body).toEqual({ data: rows.slice(0, 1), next_cursor: null });
    expect((await get(`/positions/latest?near=${-latitude},${longitude}&radius_m=500`)).body.data).toEqual([]);
    const alone = await get("/positions/latest?radius_m=500");
    expect([alone.status, alone.body.error.message]).toEqual([400, "radius_m: expected together with `near`"]);
  });

  test("has the column of distances only if a place is named", async () => {
    const header = async (query: string) =>
      (await world().get(`/positions/latest?format=csv${query}`)).text.split("\r\n")[0];
    expect(await header("")).not.toContain("distance_m");
    expect(await header("&near=52,13")).toBe(`${await header("")},distance_m`);
  });
});
