import { expect, test } from "bun:test";
import type { Transaction } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { type ApiUnderTest, keyOf, startApi } from "../support/api.ts";
import { type FreshDatabase, onEachEngine } from "../support/engines.ts";
import { figures } from "../support/fleet-api.ts";
import { post, toolCall } from "../support/mcp.ts";
import { scaledMs, until } from "../support/patience.ts";
import { withProductDeadlines } from "../support/patient-deadlines.ts";
import { startOdograph } from "../support/program.ts";
import { exchange, exchangeSlowly, responsesIn } from "../support/raw-http.ts";
import { seedFleet } from "../support/seed-fleet.ts";
import { seedLongReport } from "../support/seed-report.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

withProductDeadlines();

interface Distant {
  readonly api: ApiUnderTest;
  readonly proxy: TcpProxy;
  readonly key: string;
}

/** An API whose way to PostgreSQL can be cut and blocked. */
async function withDistantStore(store: FreshDatabase, work: (distant: Distant) => Promise<void>): Promise<void> {
  const proxy = await startTcpProxy(store.env.DATABASE_URL ?? "");
  const database = await openDatabase({ engine: "postgres", url: proxy.url }, { create: false });
  const api = await startApi(database);
  try {
    const { owner } = await seedFleet(store.database);
    const key = await keyOf(store.database, owner.email, { perDay: 100 });
    await work({ api, proxy, key });
  } finally {
    await proxy.restore();
    await until(async () => (await api.get("/health")).status === 200);
    await api.close();
    await database.close();
    await proxy.close();
  }
}

async function timed<T>(work: Promise<T>): Promise<[result: T, ms: number]> {
  const started = performance.now();
  return [await work, performance.now() - started];
}

onEachEngine("a store that is gone", (engine) => {
  // The embedded store is a file of ours: it has no network in between.
  if (engine.name === "sqlite") return;

  test("is reported at once: 503 by /health, 500 by everything else, and 200 again when it is back", async () => {
    const store = await engine.fresh();
    const { database } = store;
    await withDistantStore(store, async ({ api, proxy, key }) => {
      expect((await api.get("/devices", key)).status).toBe(200);
      for (let times = 0; times < 2; times++) {
        await proxy.cut();
        const [health, healthMs] = await timed(api.get("/health"));
        expect([health.status, health.body.status]).toEqual([503, "unavailable"]);
        for (const path of ["/devices", "/positions/latest", "/reports/mileage"]) {
          const [{ status, body }, ms] = await timed(api.get(path, key));
          expect([path, status, body.error.code]).toEqual([path, 500, "INTERNAL"]);
          expect(ms).toBeLessThan(scaledMs(2_000));
          expect(JSON.stringify(body)).not.toMatch(/postgres|ECONN|127\.0\.0\.1/i);
        }
        const [agent, agentMs] = await timed(post(api, toolCall("list_devices"), { key }));
        // As the message's failure or the tool's: the key may still be known from a moment ago.
        const { error } = agent.status === 500 ? agent.body : agent.body.result.structuredContent;
        expect(error.code).toBe("INTERNAL");
        for (const ms of [healthMs, agentMs]) expect(ms).toBeLessThan(scaledMs(2_000));
        // What needs no store goes on.
        expect((await api.get("/nothing", key)).status).toBe(404);
        expect((await api.request("/devices", { method: "POST" })).status).toBe(405);
        expect((await api.get("/devices", "nonsense")).status).toBe(401);
        await proxy.restore();
        await until(async () => (await api.get("/health")).status === 200);
        await until(async () => (await api.get("/devices", key)).status === 200);
      }
      // Only what was answered has been charged: one call before, one after each time, and then one more.
      await until(async () => (await database.get(sql`select 1 from key_counters where day_used = 3`)) !== null);
      expect(figures(await api.get("/devices", key)).remaining).toBe(100 - 4);
    });
  });

  /** Nothing gets through any more. */
  async function frozen(): Promise<void> {
    await withDistantStore(await engine.fresh(), async ({ api, proxy, key }) => {
      expect((await api.get("/devices", key)).status).toBe(200);
      proxy.freeze();
      const [[health, healthMs], [devices, devicesMs]] = await Promise.all([
        timed(api.get("/health")),
        timed(api.get("/devices", key)),
      ]);
      expect([health.status, healthMs < scaledMs(4_000)]).toEqual([503, true]);
      expect([devices.status, devices.body.error.code, devicesMs < scaledMs(9_000)]).toEqual([500, "INTERNAL", true]);
      await proxy.restore();
      await until(async () => (await api.get("/health")).status === 200);
      await until(async () => (await api.get("/devices", key)).status === 200);
    });
  }

  /** First the rows that are asked for are out of reach, and then the counter that is to be set back. */
  async function locked(): Promise<void> {
    const store = await engine.fresh();
    await withDistantStore(store, async ({ api, key }) => {
      const { database } = store;
      await database.transaction(async (tx) => {
        await tx.run(plainSql("lock table trips in access exclusive mode"));
        const call = timed(api.get("/trips", key));
        await until(() => lockedCounter(tx));
        const [{ status }, ms] = await call;
        expect([status, ms < scaledMs(12_000)]).toEqual([500, true]);
      });
      await until(async () => (await database.get(sql`select 1 from key_counters where day_used = 0`)) !== null);
    });
  }

  test("and that says nothing holds nobody: 503 and 500 come within their deadlines", async () => {
    await Promise.all([frozen(), locked()]);
  });

  test("in the middle of a call: the call is 500, soon, and not charged to the day", async () => {
    const store = await engine.fresh();
    await withDistantStore(store, async ({ api, proxy, key }) => {
      const { database } = store;
      const counted = async () =>
        (await database.get<{ day_used: number }>(sql`select day_used from key_counters`))?.day_used;
      // The call is held up where it reads, after it was counted, and then loses its store.
      await database.transaction(async (tx) => {
        await tx.run(plainSql("lock table trips in access exclusive mode"));
        const call = timed(api.get("/trips", key));
        await until(async () => (await counted()) === 1);
        await proxy.cut();
        const [{ status }, ms] = await call;
        expect([status, ms < scaledMs(9_000)]).toEqual([500, true]);
      });
      await proxy.restore();
      await until(async () => (await counted()) === 0);
    });
  });

  test("in the middle of a long answer: the answer breaks off, and cannot be taken for a whole one", async () => {
    const store = await engine.fresh();
    const { request } = await seedLongReport(store.database);
    const proxy = await startTcpProxy(store.env.DATABASE_URL ?? "");
    const env = { DATABASE_URL: proxy.url };
    const program = await startOdograph(["serve", "--port", "0", "--ingest-port", "0"], { env });
    const [broken] = responsesIn(await exchangeSlowly(program.url, request("GET"), () => proxy.cut()));
    expect([broken?.status, broken?.isWhole]).toEqual([200, false]);
    await proxy.restore();
    const whole = async () => responsesIn(await exchange(program.url, request("GET")))[0];
    await until(async () => (await whole())?.isWhole === true);
    const [head] = responsesIn(await exchange(program.url, request("HEAD")), [0]);
    expect(head?.status).toBe(200);
    expect((await program.stop()).code).toBe(0);
    await proxy.close();
  });
});

/** Locks the counter of the call, once it is there. */
async function lockedCounter(tx: Transaction): Promise<boolean> {
  const used = await tx.get<{ account_id: number }>(sql`select account_id from key_counters where day_used = 1`);
  if (used === null) return false;
  await tx.run(sql`
    select 1 from key_counters where account_id = ${used.account_id} and day_used = 1 for update`);
  return true;
}
