import { expect, test } from "bun:test";
import fc from "fast-check";
import { tidyChanges } from "../../src/derive/upkeep/tidy-changes.ts";
import { parseChange } from "../../src/domain/changes/change-text.ts";
import { type DeviceChange, DeviceChangeBuilder } from "../../src/domain/changes/device-change.ts";
import { dayMs, dayOf } from "../../src/domain/time/time.ts";
import { entriesIn, type LogEntry } from "../../src/store/changes/change-entries.ts";
import { logChanges } from "../../src/store/changes/changes.ts";
import { nextChange } from "../../src/store/changes/viewers.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { thinChanges } from "../../src/store/upkeep/old-changes.ts";
import { onEachEngine } from "../support/engines.ts";
import { loadIngestFleet } from "../support/ingest-fleet.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { rounds } from "../support/rounds.ts";

const seed = announcedSeed("old changes");
const start = Date.UTC(2026, 0, 10);

async function entries(database: Database): Promise<LogEntry[]> {
  const rows = await database.all<Parameters<typeof entriesIn>[0]>(sql`
    select number, device, changed_at, content from changes order by number, device`);
  return rows.flatMap(entriesIn);
}

function changeIn({ text, changedAt }: LogEntry): DeviceChange {
  return parseChange(text, changedAt);
}

async function fleetOf(database: Database) {
  await loadIngestFleet(database);
  const devices = await database.all<{ account_id: number; device: number }>(
    sql`select account_id, device from devices order by account_id, device limit 2`,
  );
  await database.transaction((tx) => tx.run(sql`delete from changes`));
  return devices;
}

async function log(
  database: Database,
  accountId: number,
  at: number,
  changes: { device: number; change: DeviceChange }[],
) {
  await database.transaction(async (tx) => {
    await logChanges(
      tx,
      accountId,
      await nextChange(tx, accountId, { shown: "neither", about: new Set() }),
      at,
      changes.map((change) => ({ ...change, isShared: false })),
    );
  });
}

function moments(change: DeviceChange): readonly (readonly [number, number])[] {
  return change.periods.position ?? [];
}

onEachEngine("the log of changes", (engine) => {
  test("property: is one entry a day and device after two days, and nobody misses anything", async () => {
    const action = fc.record({
      afterMs: fc.integer({ min: 1, max: dayMs / 4 }),
      devices: fc.subarray([0, 1], { minLength: 1 }),
      count: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), async (actions) => {
        const { database, dispose } = await engine.fresh();
        const devices = await fleetOf(database);
        const accountId = devices[0]?.account_id ?? 0;
        let now = start;
        for (const { afterMs, devices: which, count } of actions) {
          now += afterMs;
          const change = new DeviceChangeBuilder()
            .add("position", now)
            .add("trip", now - 1000)
            .build();
          const changed = which.map((index) => ({ device: devices[index]?.device ?? 0, change }));
          await log(database, accountId, now, changed);
          // Some rounds of thinning on the way, with few entries each.
          await database.transaction((tx) => thinChanges(tx, accountId, now - 2 * dayMs, count));
        }
        const before = await entries(database);
        const exact = before.filter(({ changedAt }) => changedAt >= now - 2 * dayMs);
        await tidyChanges(database, now, new AbortController().signal);
        const after = await entries(database);
        expect(after.filter(({ changedAt }) => changedAt >= now - 2 * dayMs)).toEqual(exact);
        const old = after.filter(({ changedAt }) => changedAt < now - 2 * dayMs);
        const days = old.map(({ device, changedAt }) => `${device} ${dayOf(changedAt)}`);
        expect(new Set(days).size).toBe(days.length);
        // Whatever had to be reported after any number still is.
        for (const earlier of before) {
          const { number, device } = earlier;
          for (const [from, until] of moments(changeIn(earlier))) {
            const reported = after
              .filter((entry) => entry.device === device && entry.number >= number)
              .flatMap((entry) => moments(changeIn(entry)));
            expect(reported.some(([first, last]) => first <= from && until <= last)).toBe(true);
          }
        }
        await dispose();
      }),
      { seed, numRuns: engine.name === "sqlite" ? rounds(8, 15) : rounds(3, 5) },
    );
  });

  test("forgets removals after 31 days, and remembers by number what it has forgotten", async () => {
    const { database } = await engine.fresh();
    const [van, truck] = await fleetOf(database);
    const { account_id: accountId, device } = van ?? { account_id: 0, device: 0 };
    const gone = new DeviceChangeBuilder().remove("trip", ["t1"]).build();
    const both = new DeviceChangeBuilder().add("alert", 5).remove("alert", ["a1"]).build();
    await log(database, accountId, start, [{ device, change: gone }]);
    await log(database, accountId, start, [{ device: truck?.device ?? 0, change: both }]);
    const stop = new AbortController().signal;
    await tidyChanges(database, start + 31 * dayMs, stop);
    expect((await entries(database)).length).toBe(2);
    await tidyChanges(database, start + 31 * dayMs + 1, stop);
    const left = await entries(database);
    expect(left.map(changeIn)).toEqual([{ periods: { alert: [[5, 5]] }, removed: {} }]);
    const forgotten = await database.all(sql`
      select device, type, number from forgotten_removals where account_id = ${accountId} order by number`);
    const number = left[0]?.number ?? 0;
    expect(forgotten).toEqual([
      { device, type: "trip", number: number - 1 },
      { device: truck?.device, type: "alert", number },
    ]);
  });
});
