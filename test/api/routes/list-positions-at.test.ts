import { expect, test } from "bun:test";
import { thatTime } from "../../support/api-fleet.ts";
import { sortedBy } from "../../support/route-request.ts";
import { describeRoute } from "../../support/route-suite.ts";

describeRoute("listPositionsAt", (world) => {
  const at = (query: string, viewer?: "olga" | "anna" | "otto") => world().get(`/positions/at?${query}`, viewer);
  const ids = ({ body }: Awaited<ReturnType<typeof at>>) =>
    body.data.map((row: { device_id: string }) => row.device_id);

  test("shows each device's last valid position at or before the time, and how old it was", async () => {
    const { van, truck, car, trailer } = world().devices;
    const { body } = await at(`time=${thatTime}`);
    expect(ids({ body } as never)).toEqual(sortedBy([van.id, truck.id, car.id, trailer.id], (id) => id));
    for (const row of body.data) {
      expect(row).toMatchObject({ recorded_at: "2026-06-15T12:10:00.000Z", valid: true, age_s: 420, distance_m: null });
      const { body: history } = await world().get(
        `/positions/history?device_id=${row.device_id}&from=2026-06-15T12:10:00Z&to=2026-06-15T12:11:00Z`,
      );
      const { age_s, distance_m, ...record } = row;
      expect([record]).toEqual(history.data);
    }
    expect(ids(await at(`time=${thatTime}`, "anna"))).toEqual(sortedBy([van.id, truck.id], (id) => id));
  });

  test("counts a position at the very moment, and one exactly as old as it may be", async () => {
    const { id } = world().devices.van;
    for (const [query, recorded] of [
      ["time=2026-06-15T12:00:00Z&max_age_s=0", "2026-06-15T12:00:00.000Z"],
      ["time=2026-06-15T11:59:59.999Z", undefined],
      ["time=2026-06-15T12:01:00Z&max_age_s=60", "2026-06-15T12:00:00.000Z"],
      ["time=2026-06-15T12:01:00.001Z&max_age_s=60", undefined],
      ["time=2026-06-15T13:20:00Z", "2026-06-15T12:20:00.000Z"],
      ["time=2026-06-15T13:20:01Z", undefined],
      ["time=2026-07-16T12:20:00Z&max_age_s=2678400", "2026-06-15T12:20:00.000Z"],
    ] as const) {
      const { status, body } = await at(`device_id=${id}&${query}`);
      expect([query, status, body.data[0]?.recorded_at]).toEqual([query, 200, recorded]);
    }
  });

  test("has one page of the nearest, if a place is named", async () => {
    const { body: all } = await at(`time=${thatTime}`);
    const { latitude, longitude } = all.data[0];
    const near = await at(`time=${thatTime}&near=${latitude},${longitude}&limit=2`);
    expect(near.body.next_cursor).toBeNull();
    expect(near.body.data.map((row: { distance_m: number }) => row.distance_m)).toEqual([0, 0]);
    expect(near.headers.get("Link")).toBeNull();
    const far = await at(`time=${thatTime}&near=${-latitude},${longitude}&radius_m=1000`);
    expect(far.body.data).toEqual([]);
    const { body: page } = await at(`time=${thatTime}&limit=1`);
    const mixed = await at(`time=${thatTime}&near=52,13&cursor=${page.next_cursor}`);
    expect([mixed.status, mixed.body.error.message]).toEqual([400, expect.stringContaining("cursor: expected `near`")]);
    const alone = await at(`time=${thatTime}&radius_m=1000`);
    expect([alone.status, alone.body.error.message]).toEqual([400, "radius_m: expected together with `near`"]);
  });

  test("narrows to a tag of now", async () => {
    const { van, truck } = world().devices;
    expect(ids(await at(`time=${thatTime}&tag=day%20shift`))).toEqual([van.id]);
    expect(ids(await at(`time=${thatTime}&tag=day%20shift&imei=${truck.imei}`))).toEqual([]);
    expect(ids(await at(`time=${thatTime}&tag=day%20shift`, "otto"))).toEqual([]);
    expect(ids(await at(`time=${thatTime}&tag=day`))).toEqual([]);
  });

  test("needs a time, unless a cursor carries it", async () => {
    const { status, body } = await at("limit=0");
    expect([status, body.error.code]).toEqual([400, "INVALID_REQUEST"]);
    for (const name of ["time", "limit"]) expect(body.error.message).toContain(`${name}: expected`);
    const { body: first } = await at(`time=${thatTime}&limit=1`);
    const other = await at(`time=2026-06-15T12:18:00Z&cursor=${first.next_cursor}`);
    expect([other.status, other.body.error.message]).toEqual([400, expect.stringContaining("cursor: expected `time`")]);
  });
});
