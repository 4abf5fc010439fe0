import { expect, test } from "bun:test";
import { oldCheckpoints } from "../../src/store/carry-over/checkpoints.ts";
import type { BulkTable, Database } from "../../src/store/database.ts";
import type { DeviceKey } from "../../src/store/device-key.ts";
import { type Checkpoint, checkpointAfter, totalsAfter } from "../../src/store/facts/checkpoints.ts";
import { plainSql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { beginFleets } from "../support/fleet-revisions.ts";

const key = { account_id: "bigint", device: "bigint", recorded_at: "bigint", digest: "bigint" } as const;
const states: BulkTable = { name: "old_checkpoints", columns: { ...key, state_json: "text" } };
const totals: BulkTable = { name: "old_checkpoint_totals", columns: { ...key, totals_json: "text" } };

/** Of one device more than are converted in one step, of others few, of some as 1.0.0 stored them: with totals within. */
const stored: readonly (Checkpoint & DeviceKey)[] = [
  ...ofDevice(1, 1, 3),
  ...ofDevice(1, 2, 1_300),
  ...ofDevice(1, 5, 1),
  ...ofDevice(2, 2, 40),
];

function ofDevice(accountId: number, device: number, count: number): (Checkpoint & DeviceKey)[] {
  return Array.from({ length: count }, (_, index) => ({
    accountId,
    device,
    recordedAt: 1_700_000_000_000 + index * 7,
    digest: 9_007_199_254_740_991 - index,
    stateJson: `{"rules":2,"judge":{"of":"${accountId} ${device} ${index}"}}`,
    totalsJson: index % 3 === 0 ? null : `{"days":[${index}]}`,
  }));
}

/** As before migration 0017. */
async function fillOldTables(database: Database): Promise<void> {
  const rows = stored.map(({ accountId, device, recordedAt, digest, stateJson, totalsJson }) => ({
    ...{ account_id: accountId, device, recorded_at: recordedAt, digest },
    ...{ state_json: stateJson, totals_json: totalsJson },
  }));
  const columns = Object.entries(key).map(([name, type]) => `${name} ${type} not null`);
  const ofKey = `primary key (${Object.keys(key).join(", ")})`;
  await database.transaction(async (tx) => {
    await beginFleets(tx, [1, 2]);
    await tx.run(plainSql(`create table old_checkpoints (${columns.join(", ")}, state_json text not null, ${ofKey})`));
    await tx.run(
      plainSql(`create table old_checkpoint_totals (${columns.join(", ")}, totals_json text not null, ${ofKey})`),
    );
    await tx.insertMany(states, rows);
    await tx.insertMany(
      totals,
      rows.filter(({ totals_json }) => totals_json !== null),
    );
  });
}

async function expectAllConverted(database: Database): Promise<void> {
  const read: (Checkpoint & DeviceKey)[] = [];
  for (const { accountId, device } of new Map(stored.map((row) => [`${row.accountId} ${row.device}`, row])).values()) {
    const own = { accountId, device };
    const all = await totalsAfter(database, own, 0, 10_000);
    for (const { recordedAt } of all) {
      const whole = await checkpointAfter(database, own, recordedAt - 1);
      if (whole !== null) read.push({ ...own, ...whole });
    }
  }
  expect(read).toEqual([...stored]);
  expect(await oldCheckpoints.total(database)).toBeNull();
  expect(await oldCheckpoints.step(database)).toBe(0);
}

onEachEngine("checkpoints whose states are stored as text", (engine) => {
  test("are converted in steps, and by the next start if this one was killed", async () => {
    const { database, open } = await engine.fresh();
    await fillOldTables(database);
    expect(await oldCheckpoints.total(database)).not.toBeNull();
    const first = await oldCheckpoints.step(database);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(stored.length / 2);
    const count = async (table: string) =>
      (await database.get<{ count: number }>(plainSql(`select count(*) as count from ${table}`)))?.count ?? 0;
    expect((await count("fold_checkpoints")) + (await count("old_checkpoints"))).toBe(stored.length);
    await expectAllConverted(await open());
  });

  test("are converted once when several nodes start together", async () => {
    const { database, open } = await engine.fresh();
    await fillOldTables(database);
    await Promise.all([open(), open(), open()]);
    await expectAllConverted(database);
  });
});
