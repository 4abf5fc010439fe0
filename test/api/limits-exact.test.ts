import { expect, test } from "bun:test";
import type { ApiResponse, ApiUnderTest } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { figures, inOneSecond, sharedFleetApi } from "../support/fleet-api.ts";

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
