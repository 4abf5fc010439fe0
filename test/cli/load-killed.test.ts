import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "../../src/store/sql.ts";
import { type EmptyStore, onEachEngine } from "../support/engines.ts";
import { fleetText, largeFleet } from "../support/fleet.ts";
import { killInWrite } from "../support/held-up.ts";
import { patienceMs } from "../support/patience.ts";
import { spawnOdograph } from "../support/program.ts";
import { rounds } from "../support/rounds.ts";

const devices = rounds(1_000, 2_000);
const all = { accounts: 1, users: 2, directory: devices, devices, assignments: devices / 2 };
const nothing = { accounts: 0, users: 0, directory: 0, devices: 0, assignments: 0 };

/**
 * When to kill, as shares of the time that a whole load takes: mostly while it writes, some about when it commits. All of it
 * or nothing is left whenever it was, so nothing depends on how well that is met. Two lists, because two cores can try at once.
 */
const moments = [
  [0.5, 0.85, 0.4],
  [0.7, 0.95, 1],
].map((shares) => shares.slice(0, rounds(2, 3)));

/**
 * Starts a load and kills it after a while, unless it has ended by then. Tells how long a whole one took, null for one
 * that was killed. A load that fails by itself is no load that was killed, and an error of the test.
 */
async function loadFor(store: EmptyStore, file: string, killAfterMs: number): Promise<number | null> {
  const started = performance.now();
  const child = spawnOdograph(["load", file], store);
  const timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  const [stderr] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  clearTimeout(timer);
  if (child.signalCode === "SIGKILL") return null;
  if (child.exitCode !== 0) throw new Error(`the load ended with ${child.exitCode}: ${stderr}`);
  return performance.now() - started;
}

/** What another process finds, in one look. */
async function stored(store: EmptyStore): Promise<object | null> {
  const database = await store.open();
  const counts = await database.get<object>(sql`
    select (select count(*) from accounts) as accounts, (select count(*) from users) as users,
      (select count(*) from device_directory) as directory, (select count(*) from devices) as devices,
      (select count(*) from assignments) as assignments`);
  await database.close();
  return counts;
}

onEachEngine("a load that is killed", (engine) => {
  /** Kills at one moment after the other, and until at least one load was cut off. */
  async function tryAll(file: string, measuredMs: number, shares: readonly number[]): Promise<void> {
    let store = await engine.empty();
    let wholeMs = measuredMs;
    let isCutOff = false;
    for (let index = 0; index < shares.length || !isCutOff; index++) {
      const killAfterMs = wholeMs * (shares[index] ?? 0.5);
      const endedAfterMs = await loadFor(store, file, killAfterMs);
      // How fast a load is depends on what else the machine does: one that was faster sets the pace.
      wholeMs = Math.min(wholeMs, endedAfterMs ?? wholeMs);
      const found = await stored(store);
      const isComplete = Bun.deepEquals(found, all);
      expect([killAfterMs, found]).toEqual([killAfterMs, isComplete || endedAfterMs !== null ? all : nothing]);
      if (isComplete) store = await engine.empty();
      else isCutOff = true;
      if (shares[index] === undefined) wholeMs /= 2;
    }
    // What was cut off stands in nobody's way.
    await loadFor(store, file, patienceMs);
    expect(await stored(store)).toEqual(all);
  }

  test("leaves all of its file or nothing, at whatever moment", async () => {
    const stores = await Promise.all(moments.map(() => engine.empty()));
    const file = join(stores[0]?.directory ?? "", "fleet.ndjson");
    await writeFile(file, fleetText(largeFleet(devices)));
    const [wholeMs] = await Promise.all(stores.map((store) => loadFor(store, file, patienceMs)));
    await Promise.all(moments.map((shares) => tryAll(file, wholeMs ?? 0, shares)));
  });

  test("leaves nothing if it was in the midst of writing", async () => {
    const store = await engine.fresh();
    // On a plain store only: Citus has no triggers on tables that are spread.
    if (store.database.isDistributed) return;
    const file = join(store.directory, "fleet.ndjson");
    await writeFile(file, fleetText(largeFleet(devices)));
    const condition = `new.plate = 'P ${devices / 2}'`;
    await killInWrite(store, ["load", file], { kind: "insert", table: "devices", condition });
    expect(await stored(store)).toEqual(nothing);
    await loadFor(store, file, patienceMs);
    expect(await stored(store)).toEqual(all);
  });
});
