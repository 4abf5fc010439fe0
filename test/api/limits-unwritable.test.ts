import { beforeEach, expect, test } from "bun:test";
import { sql } from "../../src/store/sql.ts";
import { keyOf } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { figures } from "../support/fleet-api.ts";
import { awayFromMidnight } from "../support/midnight.ts";
import { patienceMs, until } from "../support/patience.ts";
import { sharedPortal } from "../support/portal.ts";
import { type RunningProgram, startOdograph } from "../support/program.ts";
import { seedFleet } from "../support/seed-fleet.ts";
import { withUnwritable } from "../support/unwritable.ts";

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

const anyPorts = ["serve", "--port", "0", "--ingest-port", "0"];

onEachEngine("a server that is killed", (engine) => {
  beforeEach(awayFromMidnight);

  /** Calls until the server is gone, and reports each time how many were answered. */
  async function callUntilGone(
    program: RunningProgram,
    key: string,
    report: (answered: number) => void,
  ): Promise<void> {
    for (let answered = 1; ; answered++) {
      const response = await fetch(`${program.url}/v1/devices`, { headers: { "X-API-Key": key } }).catch(() => null);
      if (response === null) return;
      expect(response.status).toBe(200);
      report(answered);
      await Bun.sleep(3);
    }
  }

  test("at any moment has counted all calls but the last ones, and asked to stop all of them", async () => {
    const store = await engine.fresh();
    const { owner } = await seedFleet(store.database);
    const key = await keyOf(store.database, owner.email, { perSecond: 1000, perDay: 1_000_000 });
    const counted = async () => {
      const row = await store.database.get<{ used: number }>(sql`select sum(day_used) as used from key_counters`);
      return Number(row?.used ?? 0);
    };
    let answered = 0;
    for (let kill = 0; kill < 2; kill++) {
      const before = await counted();
      const program = await startOdograph(anyPorts, store);
      let ownAnswers = 0;
      const calling = callUntilGone(program, key, (count) => {
        ownAnswers = count;
      });
      // However many calls follow one another, soon after each it is stored. How soon depends on the machine.
      let due = 0;
      for (let look = 0; look < 3; look++) {
        await until(() => ownAnswers > due);
        due = ownAnswers;
        if (engine.name === "sqlite") await until(async () => (await counted()) >= before + due);
      }
      // Any moment will do: kills come without warning.
      await Bun.sleep(Math.random() * 400);
      // PostgreSQL has counted each call when it is answered.
      if (engine.name === "postgres") due = ownAnswers;
      await program.kill();
      await calling;
      const stored = await counted();
      expect(stored - before, `kill ${kill}`).toBeGreaterThanOrEqual(due);
      // The one that was under way may have been counted, perhaps only after this look: so all rounds are taken together.
      answered += ownAnswers;
      expect(stored).toBeLessThanOrEqual(answered + kill + 1);
    }
    // Asked to stop, it forgets nothing at all.
    const stopped = await startOdograph(anyPorts, store);
    const before = await counted();
    const headers = { "X-API-Key": key };
    for (let call = 0; call < 5; call++)
      expect((await fetch(`${stopped.url}/v1/devices`, { headers })).status).toBe(200);
    expect((await stopped.stop()).code).toBe(0);
    expect(await counted()).toBe(before + 5);
  });
});
