import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "../../src/store/sql.ts";
import { type EmptyStore, onEachEngine } from "../support/engines.ts";
import { fleetText, largeFleet } from "../support/fleet.ts";

const odograph = fileURLToPath(new URL("../../bin/odograph", import.meta.url));
const devices = 5_000;
const all = { accounts: 1, users: 2, directory: devices, devices, assignments: devices / 2 };
const nothing = { accounts: 0, users: 0, directory: 0, devices: 0, assignments: 0 };

/** When to kill, as shares of the time that a whole load takes: mostly while it writes, some about when it commits. */
const moments = [0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Starts a load and kills it after a while, unless it has ended by then. Tells how long it ran. */
async function loadFor(store: EmptyStore, file: string, killAfterMs: number): Promise<number> {
  const started = performance.now();
  const child = Bun.spawn([odograph, "load", file], {
    env: { PATH: process.env.PATH ?? "", ...store.env },
    stdout: "ignore",
    stderr: "ignore",
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  await child.exited;
  clearTimeout(timer);
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
  test("leaves all of its file or nothing, at whatever moment", async () => {
    const complete = await engine.empty();
    const file = join(complete.directory, "fleet.ndjson");
    await writeFile(file, fleetText(largeFleet(devices)));
    const wholeMs = await loadFor(complete, file, 60_000);
    expect(await stored(complete)).toEqual(all);

    let store = await engine.empty();
    let cutOff = 0;
    for (const moment of moments) {
      await loadFor(store, file, wholeMs * moment);
      const found = await stored(store);
      expect([moment, found]).toEqual([moment, Bun.deepEquals(found, all) ? all : nothing]);
      if (Bun.deepEquals(found, nothing)) cutOff++;
      else store = await engine.empty();
    }
    expect(cutOff).toBeGreaterThan(2);

    await loadFor(store, file, 60_000);
    expect(await stored(store)).toEqual(all);
  });
});
