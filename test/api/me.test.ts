import { expect, test } from "bun:test";
import { sql } from "../../src/store/sql.ts";
import { keyOf, startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { Seed } from "../support/seed.ts";
import { noon } from "../support/seed-rows.ts";

onEachEngine("who calls", (engine) => {
  async function opened() {
    const { database } = await engine.fresh();
    const rows = new Seed();
    const account = rows.account({ name: "Riverside", time_zone: "Europe/Berlin", limit_per_day: 20 });
    const owner = rows.user(account, { role: "owner", name: "Ana" });
    const ben = rows.user(account, { name: "Ben" });
    const [van, truck] = [rows.device(account, { seenBy: [ben] }), rows.device(account)];
    rows.position(van, { recorded_at: noon, received_at: noon + 1_000 });
    rows.position(truck, { recorded_at: noon, received_at: noon + 5_000 });
    await rows.save(database);
    const api = await startApi(database);
    const key = await keyOf(database, owner.email, { scopes: ["trips:read"] });
    return { database, api, account, owner, ben, key, truck };
  }

  test("is answered to any key: account, user, key, limits, and how new the data is", async () => {
    const { database, api, account, owner, ben, key } = await opened();
    const { status, body, headers } = await api.get("/me", key);
    expect([status, headers.get("X-RateLimit-Remaining")]).toEqual([200, "19"]);
    const { data } = body;
    expect(data).toEqual({
      account: { account_id: account.id, name: "Riverside", time_zone: "Europe/Berlin" },
      user: { user_id: owner.id, name: "Ana", role: "owner" },
      key: {
        ...data.key,
        name: "test",
        prefix: key.slice(0, data.key.prefix.length),
        scopes: ["trips:read"],
        expires_at: null,
      },
      limits: {
        per_second: 1000,
        per_day: 20,
        remaining_today: 19,
        resets_at: expect.stringMatching(/T00:00:00\.000Z$/),
      },
      newest_frame_at: new Date(noon + 5_000).toISOString(),
    });
    const bens = (await api.get("/me", await keyOf(database, ben.email, { expiresAt: Date.now() + 86_400_000 }))).body
      .data;
    expect([bens.user.role, bens.newest_frame_at]).toEqual(["sub_account", new Date(noon + 1_000).toISOString()]);
    expect(Date.parse(bens.key.expires_at)).toBeGreaterThan(Date.now());
    await api.close();
  });

  test("has a tag of everything but the limits, which is the key's own", async () => {
    const { database, api, owner, key, truck } = await opened();
    const first = await api.get("/me", key);
    const tag = first.headers.get("ETag") ?? "";
    const same = await api.get("/me", key, { "If-None-Match": tag });
    expect([same.status, same.headers.get("X-RateLimit-Remaining")]).toEqual([304, "19"]);
    const again = await api.get("/me", key);
    expect([again.headers.get("ETag"), again.body.data.limits.remaining_today]).toEqual([tag, 18]);
    const wrong = await api.get("/me", key, { "If-None-Match": '"x"' });
    expect([wrong.status, wrong.body.data.limits.remaining_today]).toEqual([200, 17]);
    expect(wrong.headers.get("X-RateLimit-Remaining")).toBe("17");
    // Another key of the same user is not told what only that one was, also right after it was asked.
    const other = await keyOf(database, owner.email, { scopes: ["trips:read"] });
    await api.get("/me", key, { "If-None-Match": tag });
    expect((await api.get("/me", other, { "If-None-Match": tag })).status).toBe(200);
    await database.transaction((tx) =>
      tx.write(sql`update latest_positions set last_seen_at = ${noon + 9_000}
        where account_id = ${truck.account_id} and device = ${truck.device}`),
    );
    expect((await api.get("/me", key, { "If-None-Match": tag })).status).toBe(200);
    await api.close();
  });

  test("what needs no key names parameters that it does not have, too", async () => {
    const { api } = await opened();
    for (const [path, ignored] of [
      ["/health?verbose=1", "verbose"],
      ["/openapi.json?rows=any", null],
      ["/openapi.json?rows=all&a=%20", "rows, a"],
    ] as const) {
      const { status, headers } = await api.get(path, undefined);
      expect([path, status, headers.get("X-Ignored-Parameters")]).toEqual([path, 200, ignored]);
    }
    await api.close();
  });
});
