import { expect, test } from "bun:test";
import { onEachEngine } from "../support/engines.ts";
import { figures, inOneSecond, sharedFleetApi, withoutTable } from "../support/fleet-api.ts";

const latest = "/positions/latest";
const unknownDevice = "0b5f1c1e-0000-4000-8000-000000000000";

onEachEngine("the limits of a key", (engine) => {
  const given = sharedFleetApi(engine);

  test("are in every response, whatever its status, with the figures after it", async () => {
    const { api, database, key } = given();
    await inOneSecond(database, async () => {
      const limited = await key({ perDay: 20, perSecond: 9, scopes: ["devices:read", "positions:read", "trips:read"] });
      const tag = (await api.get(latest, limited)).headers.get("ETag") ?? "";
      const wanted: [status: number, path: string, headers: Record<string, string>, left: number, second: number][] = [
        [200, "/devices", {}, 18, 7],
        [304, latest, { "If-None-Match": tag }, 18, 6],
        [400, "/devices?limit=0", {}, 17, 5],
        [403, "/alerts", {}, 16, 4],
        [404, `/devices/${unknownDevice}`, {}, 15, 3],
        [400, `${latest}?limit=x`, { "If-None-Match": tag }, 14, 2],
      ];
      for (const [status, path, headers, remaining, remainingSecond] of wanted) {
        const response = await api.get(path, limited, headers);
        expect([response.status, figures(response)]).toEqual([
          status,
          { limit: 20, remaining, reset: expect.any(Number), limitSecond: 9, remainingSecond },
        ]);
      }
      await withoutTable(database, "trips", async () => {
        const response = await api.get("/trips", limited);
        expect([response.status, figures(response)]).toMatchObject([500, { remaining: 14, remainingSecond: 1 }]);
      });
      for (const [status, remaining, remainingSecond] of [
        [200, 13, 0],
        [429, 13, 0],
        [429, 13, 0],
      ]) {
        const response = await api.get("/devices", limited);
        expect([response.status, figures(response)]).toMatchObject([status, { remaining, remainingSecond }]);
      }
    });
  });

  test("a fault of ours is not charged to the day, again and again, on a plain and on a conditional request", async () => {
    const { node, database, key } = given();
    // One that has kept no page.
    const api = await node();
    const limited = await key({ perDay: 1 });
    await withoutTable(database, "latest_positions", async () => {
      for (const headers of [{}, { "If-None-Match": '"a"' }, {}, { "If-None-Match": "*" }]) {
        const response = await api.get(latest, limited, headers);
        expect([response.status, figures(response).remaining]).toEqual([500, 1]);
      }
    });
    expect((await api.get(latest, limited)).status).toBe(200);
    expect((await api.get(latest, limited)).status).toBe(429);
    // Nothing is left of the day, and so the fault of the store is not even met.
    await withoutTable(database, "latest_positions", async () => {
      expect((await api.get(latest, limited)).status).toBe(429);
    });
  });

  test("a 304 is free of the day, and works with nothing left of it, where any other answer does not", async () => {
    const { api, key, fleet, database } = given();
    const limited = await key({ perDay: 3 });
    const first = await api.get(latest, limited);
    const tag = first.headers.get("ETag") ?? "";
    const poll = (headers: Record<string, string> = { "If-None-Match": tag }, path = latest) =>
      api.get(path, limited, headers);
    for (let times = 0; times < 5; times++) {
      const response = await poll();
      expect([response.status, figures(response).remaining]).toEqual([304, 2]);
    }
    // What is conditional and ends otherwise costs as any other.
    const missing = `${latest}?device_id=${unknownDevice}`;
    const charged = await poll({ "If-None-Match": tag }, missing);
    expect([charged.status, figures(charged).remaining]).toEqual([404, 1]);
    const stale = await poll({ "If-None-Match": '"stale"' });
    expect([stale.status, figures(stale).remaining]).toEqual([200, 0]);

    expect((await poll()).status).toBe(304);
    expect((await poll({ "If-None-Match": "*" })).status).toBe(304);
    const ways: [Record<string, string>, string][] = [
      [{}, latest],
      [{ "If-None-Match": '"stale"' }, latest],
      [{ "If-None-Match": "" }, latest],
      [{ "If-None-Match": tag }, `${latest}?limit=0`],
      [{ "If-None-Match": tag }, missing],
      [{ "If-None-Match": "*" }, `${latest}?imei=350000000000000`],
      [{ "If-None-Match": tag }, `${latest}?cursor=forged`],
      [{ "If-None-Match": tag }, "/devices"],
    ];
    for (const [headers, path] of ways) {
      const response = await poll(headers, path);
      expect([path, response.status, figures(response).remaining]).toEqual([path, 429, 0]);
      expect(response.headers.get("Retry-After")).toBe(response.headers.get("X-RateLimit-Reset"));
    }
    fleet.seed.position(fleet.van, { speed_kmh: 1 });
    await fleet.seed.save(database);
    expect((await poll()).status).toBe(429);
  });

  test("a poll without the scope is refused by it, at its price, and by the day when that is over", async () => {
    const { api, key } = given();
    const limited = await key({ perDay: 1, scopes: ["trips:read"] });
    const conditional = { "If-None-Match": "*" };
    const first = await api.get(latest, limited, conditional);
    expect([first.status, figures(first).remaining]).toEqual([403, 0]);
    expect((await api.get(latest, limited, conditional)).status).toBe(429);
  });
});
