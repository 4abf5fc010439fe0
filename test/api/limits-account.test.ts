import { expect, test } from "bun:test";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { figures, sharedFleetApi, withoutTable } from "../support/fleet-api.ts";

const latest = "/positions/latest";

onEachEngine("the account's limit for all keys together", (engine) => {
  const given = sharedFleetApi(engine);

  async function limitAccount(perDay: number | null): Promise<void> {
    const { database, fleet } = given();
    await database.transaction((tx) =>
      tx.run(sql`update accounts set limit_account_per_day = ${perDay} where id = ${fleet.other.id}`),
    );
  }

  test("holds over its keys, tells so, is free of 304s and of faults of ours, and leaves other accounts alone", async () => {
    const { api, key, database, fleet } = given();
    const email = fleet.otherOwner.email;
    await limitAccount(7);
    const [one, other, small] = [await key({ email }), await key({ email }), await key({ email, perDay: 1 })];
    const seen = async (who: string, path = "/devices", headers = {}) => {
      const response = await api.get(path, who, headers);
      const { limit, remaining } = figures(response);
      return [response.status, limit, remaining];
    };
    expect(await seen(one)).toEqual([200, 7, 6]);
    expect(await seen(other)).toEqual([200, 7, 5]);
    expect(await seen(small)).toEqual([200, 1, 0]);
    // Its own day is over: that costs the account nothing.
    expect(await seen(small)).toEqual([429, 1, 0]);
    expect(await seen(other, "/devices?limit=0")).toEqual([400, 7, 3]);
    await withoutTable(database, "trips", async () => {
      expect(await seen(one, "/trips")).toEqual([500, 7, 3]);
    });
    const tag = (await api.get(latest, one)).headers.get("ETag") ?? "";
    expect(await seen(one, latest, { "If-None-Match": tag })).toEqual([304, 7, 2]);
    expect(await seen(one)).toEqual([200, 7, 1]);
    expect(await seen(other)).toEqual([200, 7, 0]);
    for (const who of [one, other]) {
      const refused = await api.get("/devices", who);
      expect([refused.status, refused.body.error]).toEqual([
        429,
        {
          code: "RATE_LIMITED",
          message:
            "the 7 requests of this UTC day that all keys of the account share are used up; it goes on at midnight UTC",
        },
      ]);
      expect(refused.headers.get("Retry-After")).toBe(refused.headers.get("X-RateLimit-Reset"));
    }
    expect(await seen(one, latest, { "If-None-Match": tag })).toEqual([304, 7, 0]);
    // A new key gets nothing more, and other accounts have nothing to do with it.
    expect(await seen(await key({ email }))).toEqual([429, 7, 0]);
    expect((await seen(await key()))[0]).toBe(200);
    // Without it, keys have their own again.
    await limitAccount(null);
    expect((await seen(await key({ email, perDay: 5 }))).slice(0, 3)).toEqual([200, 5, 4]);
  });
});
