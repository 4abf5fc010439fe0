import { expect, test } from "bun:test";
import { watchOffline } from "../../src/derive/upkeep/offline-watch.ts";
import { dropOldFrames } from "../../src/derive/upkeep/retention.ts";
import { retainFrames } from "../../src/derive/upkeep/retention-guard.ts";
import { thinOldCheckpoints } from "../../src/derive/upkeep/thin-checkpoints.ts";
import type { Database } from "../../src/store/database.ts";
import { dirtyDevices } from "../../src/store/facts/folds.ts";
import { countWaitingDevices, nextWaiting, waitingWithLateFrames } from "../../src/store/facts/waiting-devices.ts";
import { plainSql, type Sql, sql } from "../../src/store/sql.ts";
import { noting } from "../support/altered.ts";
import { fillForChores } from "../support/chore-store.ts";
import { onEachEngine } from "../support/engines.ts";
import { isOnCluster } from "../support/postgres-databases.ts";

const now = Date.now();
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** With few rows PostgreSQL reads them all, and is right to. SQLite plans without looking at them. */
const deviceCounts = { postgres: { long: 150, wide: 1_000 }, sqlite: { long: 10, wide: 60 } } as const;

interface Chore {
  /** Each device of the first has a block and a checkpoint for each of 30 days. */
  readonly store: "long" | "wide";
  readonly work: (database: Database, devices: number) => Promise<unknown>;
}

/** What the server does by itself, again and again. No chore depends on what those before it did. */
function retention(database: Database, at: number): Promise<void> {
  return retainFrames(
    database,
    { now: at, retainDays: 56, isClockDoubted: false, clockWatchedSince: null, trustsClock: false },
    () => {},
  );
}

const chores: readonly (readonly [name: string, chore: Chore])[] = [
  ["retention that finds nothing", { store: "long", work: (database) => dropOldFrames(database, now - 60 * dayMs) }],
  ["retention that is refused", { store: "long", work: (database) => retention(database, now + 60 * dayMs) }],
  ["retention that is weighed", { store: "long", work: (database) => retention(database, now + 28 * dayMs) }],
  ["retention that drops a day", { store: "long", work: (database) => dropOldFrames(database, now - 28 * dayMs) }],
  [
    "the thinning of checkpoints",
    { store: "long", work: (database) => thinOldCheckpoints(database, now, new AbortController().signal) },
  ],
  // The last five of them are silent.
  [
    "the watch for silent devices",
    { store: "wide", work: (database, devices) => watchOffline(database, now - (devices - 29) * hourMs) },
  ],
  ["the look for what is to be derived", { store: "wide", work: (database) => dirtyDevices(database, 1, 100) }],
  [
    "the look for devices of earlier rules",
    {
      store: "wide",
      work: async (database) => {
        await countWaitingDevices(database, 1);
        await nextWaiting(database, 1, null, now);
        await nextWaiting(database, 1, 7, now);
        await waitingWithLateFrames(database, 1, now, 1);
      },
    },
  ],
];

async function planOf(database: Database, query: Sql): Promise<string[]> {
  if (database.engine === "sqlite") {
    const steps = await database.all<{ detail: string }>(sql`explain query plan ${query}`);
    return steps.map(({ detail }) => detail);
  }
  // The plan that a statement gets once it has been run a few times: without looking at its values.
  return database.transaction(async (tx) => {
    if (!isOnCluster) await tx.run(plainSql("set local plan_cache_mode = force_generic_plan"));
    await tx.run(plainSql(`prepare chore as ${query.text}`));
    const values = query.values.map((value) => (typeof value === "string" ? `'${value}'` : String(value)));
    const call = values.length === 0 ? "chore" : `chore (${values.join(", ")})`;
    const steps = await tx.all<{ "QUERY PLAN": string }>(plainSql(`explain execute ${call}`));
    await tx.run(plainSql("deallocate chore"));
    return steps.map((step) => step["QUERY PLAN"]);
  });
}

/** Values of the statement itself. */
const given = /^SCAN (?:w|(?:\d+ )?CONSTANT ROWS?)$/;

/** Walks the key in order and stops after a page. */
const firstPage = /^SCAN (?:device_folds|latest_positions|f)$|^SCAN device_folds USING INDEX device_folds_dirty$/;

/** Steps that read a whole table. */
function wholesale(plan: readonly string[]): string[] {
  // What the statement itself has found is read as a whole.
  const isLimited = (step: string) =>
    ["CO-ROUTINE", "MATERIALIZE"].some((made) => plan.includes(step.replace("SCAN", made)));
  return plan.filter((step) =>
    step.startsWith("SCAN")
      ? !firstPage.test(step) && !given.test(step) && !isLimited(step)
      : isOnCluster
        ? /Task Count: (?!1$)/.test(step)
        : step.includes("Seq Scan on"),
  );
}

onEachEngine("what the server does by itself", (engine) => {
  const filled = (devices: number, days: number) =>
    engine.shared(async ({ database }) => {
      await fillForChores(database, now, devices, days);
      if (engine.name === "postgres") await database.change(plainSql("analyze"));
      return database;
    });
  const devices = deviceCounts[engine.name];
  const stores = { long: filled(devices.long, 30), wide: filled(devices.wide, 0) };

  test.each(chores)("never reads a whole table: %s", async (_, { store, work }) => {
    const database = stores[store]();
    const asked = new Map<string, Sql>();
    // Of many with the same text one is enough.
    await work(
      noting(database, (query) => asked.set(query.text, query)),
      devices[store],
    );
    expect(asked.size).toBeGreaterThan(0);
    for (const query of asked.values()) {
      const plan = await planOf(database, query);
      expect([query.text, wholesale(plan)]).toEqual([query.text, []]);
    }
  });
});
