import { expect, test } from "bun:test";
import { sql } from "../../src/store/sql.ts";
import type { ApiResponse, ApiUnderTest } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { figures, inOneSecond, sharedFleetApi, withoutTable } from "../support/fleet-api.ts";
import { awayFromMidnight } from "../support/midnight.ts";
import { patienceMs } from "../support/patience.ts";
import { sharedPortal } from "../support/portal.ts";
import { withUnwritable } from "../support/unwritable.ts";

function parallel(api: ApiUnderTest, key: string, count: number, headers = {}): Promise<ApiResponse[]> {
  return Promise.all(Array.from({ length: count }, () => api.get("/positions/latest?limit=1", key, headers)));
}

function byStatus(responses: readonly ApiResponse[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The key's requests left, each told by exactly one of the calls that passed. */
function remainingTold(responses: readonly ApiResponse[]): number[] {
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
      expect(remainingTold(responses)).toEqual(upTo(200));
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

  test("polls that end in a 304 take nothing from those that do not, however they are mixed", async () => {
    const { api, key } = given();
    const limited = await key({ perDay: 51 });
    const tag = (await parallel(api, limited, 1))[0]?.headers.get("ETag") ?? "";
    const [polls, plain] = await Promise.all([
      parallel(api, limited, 60, { "If-None-Match": tag }),
      parallel(api, limited, 60),
    ]);
    expect([byStatus(polls), byStatus(plain)]).toEqual([{ 304: 60 }, { 200: 50, 429: 10 }]);
  });

  test("over a restart", async () => {
    const { key, node } = given();
    const limited = await key({ perDay: 12 });
    const first = await node();
    await parallel(first, limited, 7);
    await first.close();
    const again = await node();
    expect(byStatus(await parallel(again, limited, 10))).toEqual({ 200: 5, 429: 5 });
    await again.close();
    expect(byStatus(await parallel(await node(), limited, 3))).toEqual({ 429: 3 });
  });

  if (engine.name === "postgres") {
    test("over two nodes: the day and the second", async () => {
      const { api, key, node, open, database } = given();
      const other = await node(await open());
      const daily = await key({ perDay: 200 });
      const mixed = (await Promise.all([parallel(api, daily, 130), parallel(other, daily, 130)])).flat();
      expect(byStatus(mixed)).toEqual({ 200: 200, 429: 60 });
      expect(remainingTold(mixed)).toEqual(upTo(200));
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

/** Everything that reading writes to. */
const tables = ["key_counters", "account_counters", "key_usage", "sessions"];

onEachEngine("a store that can be read and not written", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("answers all readers, of the API and of the portal, and counts them", async () => {
    await awayFromMidnight();
    const { api, keys, signIn, time, store } = given();
    const olga = await signIn("olga@acme.example");
    const remaining = async () => figures(await api.get("/devices", keys.olga)).remaining;
    const before = await remaining();
    let calls = 0;
    // Of the keys of Anna and Ben this node has seen nothing so far.
    await withUnwritable(store.database, tables, "53100", async () => {
      for (const path of ["/devices", "/positions/latest", "/trips", "/alerts"]) {
        for (const key of [keys.olga, keys.anna, keys.ben]) {
          expect([path, (await api.get(path, key)).status]).toEqual([path, 200]);
        }
        calls++;
      }
      calls++;
      expect(await remaining()).toBe(before - calls);
      // So much later that the session's use would be written down.
      time.aheadMs += 120_000;
      for (const path of ["/session", "/keys", "/usage", "/data/devices"]) {
        expect([path, (await olga.get(path)).status]).toEqual([path, 200]);
      }
    });
    // What was counted meanwhile is added, within seconds. Until then each call counts by itself.
    const deadline = performance.now() + patienceMs;
    for (;;) {
      calls++;
      const left = await remaining();
      if (left === before - calls) return;
      expect(left).toBeGreaterThan(before - calls);
      if (performance.now() > deadline) throw new Error(`${before - left} of ${calls} calls are counted`);
      await Bun.sleep(50);
    }
  });
});
