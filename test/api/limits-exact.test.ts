import { expect, test } from "bun:test";
import { sql } from "../../src/store/sql.ts";
import type { ApiResponse, ApiUnderTest } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { figures, inOneSecond, sharedFleetApi, withoutTable } from "../support/fleet-api.ts";

function parallel(api: ApiUnderTest, key: string, count: number, headers = {}): Promise<ApiResponse[]> {
  return Promise.all(Array.from({ length: count }, () => api.get("/positions/latest?limit=1", key, headers)));
}

function byStatus(responses: readonly ApiResponse[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The key's requests left, each reported by exactly one of the calls that passed. */
function remainingOf(responses: readonly ApiResponse[]): number[] {
  const passed = responses.filter(({ status }) => status === 200);
  return passed.map((response) => figures(response).remaining).toSorted((one, other) => one - other);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

onEachEngine("the limits hold exactly", (engine) => {
  const given = sharedFleetApi(engine);

  test("of 260 parallel calls with 200 left of the day 200 pass, conditional or not", async () => {
    const { api, key } = given();
    for (const headers of [{}, { "If-None-Match": '"stale"' }]) {
      const limited = await key({ perDay: 205 });
      for (let call = 0; call < 5; call++) await api.get("/devices", limited);
      const responses = await parallel(api, limited, 260, headers);
      expect(byStatus(responses)).toEqual({ 200: 200, 429: 60 });
      expect(remainingOf(responses)).toEqual(upTo(200));
    }
  });

  // Few enough to be over within a second on a busy machine.
  test("of 60 parallel calls in one second that allows 40, 40 pass, and the others cost nothing of the day", async () => {
    const { api, database, key } = given();
    await inOneSecond(database, async () => {
      const limited = await key({ perSecond: 40, perDay: 100_000 });
      const responses = await parallel(api, limited, 60);
      expect(byStatus(responses)).toEqual({ 200: 40, 429: 20 });
      const refused = responses.filter(({ status }) => status === 429);
      expect(new Set(refused.map(({ headers }) => headers.get("Retry-After")))).toEqual(new Set(["1"]));
      expect(Math.min(...responses.map((response) => figures(response).remaining))).toBe(100_000 - 40);
    });
  });

  if (engine.name === "postgres") {
    test("over two nodes: the day and the second", async () => {
      const { api, key, node, open, database } = given();
      const other = await node(await open());
      const daily = await key({ perDay: 200 });
      const mixed = (await Promise.all([parallel(api, daily, 130), parallel(other, daily, 130)])).flat();
      expect(byStatus(mixed)).toEqual({ 200: 200, 429: 60 });
      expect(remainingOf(mixed)).toEqual(upTo(200));
      await inOneSecond(database, async () => {
        const burst = await key({ perSecond: 50 });
        const both = (await Promise.all([parallel(api, burst, 40), parallel(other, burst, 40)])).flat();
        expect(byStatus(both)).toEqual({ 200: 50, 429: 30 });
      });
    });
  }
});

const latest = "/positions/latest";

onEachEngine("the account's limit for all keys together", (engine) => {
  const given = sharedFleetApi(engine);

  async function limitAccount(perDay: number | null): Promise<void> {
    const { database, fleet } = given();
    await database.transaction((tx) =>
      tx.run(sql`update accounts set limit_account_per_day = ${perDay} where id = ${fleet.other.id}`),
    );
  }

  test("holds over its keys, says so, is free of 304s and of faults of ours, and leaves other accounts alone", async () => {
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
