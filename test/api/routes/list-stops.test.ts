import { expect, test } from "bun:test";
import { seenBy } from "../../support/api-fleet.ts";
import { describeRoute } from "../../support/route-suite.ts";

const day = "from=2026-06-15&to=2026-06-16";

describeRoute("listStops", (world) => {
  const idsIn = async (query: string, viewer: "olga" | "anna" | "ben" | "otto" = "olga") => {
    const { status, body } = await world().get(`/stops?${query}`, viewer);
    expect(status).toBe(200);
    return body.data.map((stop: { stop_id: string }) => stop.stop_id);
  };

  test("counts a stop to the window if it overlaps it, which is half-open", async () => {
    const { van } = world().devices;
    const [over, open] = seenBy(world(), "anna", world().rows.stops).map((stop) => stop.id);
    const vansIn = (window: string) => idsIn(`imei=${van.imei}&${window}`);
    // The first one lasts from 12:00 to 12:10; the second one began at 12:50 and goes on.
    expect(await vansIn("from=2026-06-15T11:00Z&to=2026-06-15T12:00Z")).toEqual([]);
    expect(await vansIn("from=2026-06-15T11:00Z&to=2026-06-15T12:00:00.001Z")).toEqual([over]);
    expect(await vansIn("from=2026-06-15T12:09:59.999Z&to=2026-06-15T12:20Z")).toEqual([over]);
    expect(await vansIn("from=2026-06-15T12:10Z&to=2026-06-15T12:50Z")).toEqual([]);
    expect(await vansIn("from=2026-07-01&to=2026-07-02")).toEqual([open]);
  });

  test("has only those in a fence, and only those that lasted so long", async () => {
    const { rows, fences } = world();
    const seen = seenBy(world(), "olga", rows.stops);
    const inYard = seen.filter(({ geofence_ids: ids }) => ids === fences.yard.id).map(({ id }) => id);
    expect(inYard.length).toBeGreaterThan(0);
    expect((await idsIn(`geofence_id=${fences.yard.id}&${day}`)).toSorted()).toEqual(inYard.toSorted());
    expect((await idsIn(`geofence_id=${fences.yard.id.toUpperCase()}&${day}`)).length).toBe(inYard.length);
    const long = seen.filter(({ ended_at }) => ended_at === null).map(({ id }) => id);
    expect((await idsIn(`min_duration_s=601&${day}`)).toSorted()).toEqual(long.toSorted());
    expect(await idsIn(`min_duration_s=600&${day}`)).toHaveLength(seen.length);
    expect(await idsIn(`min_duration_s=601&geofence_id=${fences.yard.id}&${day}`)).toEqual([]);
  });

  test("answers a fence out of sight like one that does not exist", async () => {
    const { yard, harbour, nobodys, pier } = world().fences;
    const unknown = "0b7c5a52-6b0e-4d14-9f3c-2a7be4d05f61";
    const answers = async (viewer: "olga" | "anna", ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => world().get(`/stops?geofence_id=${id}&${day}`, viewer)));
    const refused = [
      ...(await answers("anna", [harbour.id, nobodys.id, pier.id, unknown])),
      ...(await answers("olga", [pier.id, unknown])),
    ];
    for (const { status, body } of refused) {
      expect([status, body.error]).toEqual([404, { code: "NOT_FOUND", message: "there is no such geofence" }]);
    }
    for (const { status } of await answers("anna", [yard.id])) expect(status).toBe(200);
    for (const { status } of await answers("olga", [nobodys.id])) expect(status).toBe(200);
  });
});
