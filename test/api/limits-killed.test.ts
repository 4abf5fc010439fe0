import { beforeEach, expect, test } from "bun:test";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { keyOf } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { awayFromMidnight } from "../support/midnight.ts";
import { patienceMs, until } from "../support/patience.ts";
import { type RunningProgram, startOdograph } from "../support/program.ts";
import { seedFleet } from "../support/seed-fleet.ts";

const anyPorts = ["serve", "--port", "0", "--ingest-port", "0"];
const perDay = 1000;

async function callTimes(program: RunningProgram, key: string, times: number): Promise<number> {
  let remaining = Number.NaN;
  for (let call = 0; call < times; call++) {
    const response = await fetch(`${program.url}/v1/devices`, { headers: { "X-API-Key": key } });
    expect(response.status).toBe(200);
    remaining = Number(response.headers.get("X-RateLimit-Remaining"));
  }
  return remaining;
}

async function untilStored(database: Database, used: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const row = await database.get<{ day_used: number }>(sql`select day_used from key_counters`);
    if (row?.day_used === used) return;
    if (performance.now() > deadline) throw new Error(`${row?.day_used} calls are stored, not ${used}`);
    await Bun.sleep(20);
  }
}

/** How long the disk took at most to store a few bytes, again and again for as long as the work took. */
async function slowestSyncMs(directory: string, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  await using file = await open(join(directory, "bytes"), "w");
  let slowest = 0;
  while (!isOver) {
    const began = performance.now();
    await file.write("bytes");
    await file.sync();
    slowest = Math.max(slowest, performance.now() - began);
    await Bun.sleep(20);
  }
  return slowest;
}

onEachEngine("a server that is killed", (engine) => {
  beforeEach(awayFromMidnight);

  /** Calls until the server is gone, and notes when each answer came. */
  async function callUntilGone(program: RunningProgram, key: string, answeredAt: number[]): Promise<void> {
    for (;;) {
      const response = await fetch(`${program.url}/v1/devices`, { headers: { "X-API-Key": key } }).catch(() => null);
      if (response === null) return;
      expect(response.status).toBe(200);
      answeredAt.push(performance.now());
      await Bun.sleep(3);
    }
  }

  test("at any moment has counted all calls but the last ones", async () => {
    const store = await engine.fresh();
    const { owner } = await seedFleet(store.database);
    const key = await keyOf(store.database, owner.email, { perSecond: 1000, perDay: 1_000_000 });
    let stored = 0;
    let answered = 0;
    for (let kill = 0; kill < 3; kill++) {
      const program = await startOdograph(anyPorts, store);
      const answeredAt: number[] = [];
      const calling = callUntilGone(program, key, answeredAt);
      const syncing = slowestSyncMs(store.directory, calling);
      await until(() => answeredAt.length > 0);
      // Any moment will do: kills come without warning.
      await Bun.sleep(1_100 + Math.random() * 400);
      const killedAt = performance.now();
      await program.kill();
      const [syncMs] = await Promise.all([syncing, calling]);
      const row = await store.database.get<{ used: number }>(sql`select sum(day_used) as used from key_counters`);
      const counted = Number(row?.used ?? 0) - stored;
      stored += counted;
      // It writes every 100 ms. A busy machine or disk makes a write longer, and one that did not get to answer did not get to write.
      const gaps = answeredAt.map((at, index) => at - (answeredAt[index - 1] ?? at));
      const boundMs = engine.name === "postgres" ? 0 : 900 + 2 * (syncMs + Math.max(0, ...gaps));
      const due = answeredAt.filter((at) => at < killedAt - boundMs).length;
      expect(counted, `kill ${kill}: ${answeredAt.length} answers, bound ${boundMs} ms`).toBeGreaterThanOrEqual(due);
      // The one that was under way may have been counted, perhaps only after this look: so all rounds are taken together.
      answered += answeredAt.length;
      expect(stored).toBeLessThanOrEqual(answered + kill + 1);
    }
    expect(stored).toBeGreaterThan(0);
  });

  test("has counted all calls but the last ones, and asked to stop all of them", async () => {
    const store = await engine.fresh();
    const { owner } = await seedFleet(store.database);
    const key = await keyOf(store.database, owner.email, { perDay });
    const killed = await startOdograph(anyPorts, store);
    expect(await callTimes(killed, key, 20)).toBe(perDay - 20);
    await untilStored(store.database, 20);
    expect(await callTimes(killed, key, 5)).toBe(perDay - 25);
    await killed.kill();

    const again = await startOdograph(anyPorts, store);
    const remaining = await callTimes(again, key, 1);
    expect(remaining).toBeLessThanOrEqual(perDay - 21);
    expect(remaining).toBeGreaterThanOrEqual(perDay - 26);
    if (engine.name === "postgres") expect(remaining).toBe(perDay - 26);

    // Asked to stop, it forgets nothing at all.
    expect(await callTimes(again, key, 3)).toBe(remaining - 3);
    expect((await again.stop()).code).toBe(0);
    await untilStored(store.database, perDay - remaining + 3);
  });
});
