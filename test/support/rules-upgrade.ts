import { expect } from "bun:test";
import { MemoryBases } from "../../src/derive/base.ts";
import { AccountContexts } from "../../src/derive/context.ts";
import { foreground } from "../../src/derive/pace.ts";
import { upgradeDevice } from "../../src/derive/upgrade/upgrade-device.ts";
import type { Database } from "../../src/store/database.ts";
import { foundInEach } from "../../src/store/each-account.ts";
import { foldedDevices } from "../../src/store/facts/folds.ts";
import { type DerivedTables, derivedTables, differencesOf } from "./derived-tables.ts";
import { dirtyCount, nothingChanged, rederiveAll, waitingCount } from "./ingest-node.ts";
import { expectTrueCheckpointsOf } from "./true-checkpoints.ts";

/** A device's turn by a node that has just started. */
export async function upgradeAll(database: Database): Promise<void> {
  const parts = { database, contexts: new AccountContexts(), memory: new MemoryBases() };
  for (const key of await foundInEach(database, (account) => foldedDevices(database, account)))
    await upgradeDevice(parts, key, foreground);
}

export async function expectAsFromScratch(database: Database, wanted: DerivedTables): Promise<void> {
  expect(differencesOf(wanted, await derivedTables(database))).toEqual([]);
  await expectTrueStore(database);
}

/** Nothing is left to do, and every checkpoint is what its frames lead to. */
export async function expectTrueStore(database: Database): Promise<void> {
  expect(await waitingCount(database)).toBe(0);
  expect(await dirtyCount(database)).toBe(0);
  const contexts = new AccountContexts();
  let checkpoints = 0;
  for (const key of await foundInEach(database, (account) => foldedDevices(database, account))) {
    const tracked = await (await contexts.of(database, key.accountId))?.byDevice(database, key.device);
    if (tracked) checkpoints += await expectTrueCheckpointsOf(database, tracked);
  }
  expect(checkpoints).toBeGreaterThan(5);
  expect(await rederiveAll(database)).toMatchObject(nothingChanged);
}
