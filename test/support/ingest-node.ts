import { MemoryBases } from "../../src/derive/base.ts";
import { AccountContexts } from "../../src/derive/context.ts";
import type { Rederived } from "../../src/derive/device-changes.ts";
import type { FrameOutcome } from "../../src/derive/plan.ts";
import { rederive } from "../../src/derive/rederive.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { FrameQueue } from "../../src/intake/queue.ts";
import type { Observe } from "../../src/observe/observation.ts";
import type { Database } from "../../src/store/database.ts";
import { foundInEach } from "../../src/store/each-account.ts";
import { foldedDevices } from "../../src/store/facts/folds.ts";
import { countWaitingDevices } from "../../src/store/facts/waiting-devices.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { smallFleet } from "./fleet.ts";
import { frameTables } from "./stored-frames.ts";

export async function accountNumber(database: Database, id: string = smallFleet.acme.id): Promise<number> {
  const row = await database.get<{ account_id: number }>(sql`select account_id from accounts where id = ${id}`);
  if (row === null) throw new Error(`there is no account ${id}`);
  return row.account_id;
}

/** One ingest node: what it remembers is its own. */
export function newWriter(database: Database, observe: Observe = () => {}): FrameQueue {
  return new FrameQueue(database, observe);
}

/** Stores the frames, one batch after the other, by a node that has just started. */
export async function take(
  database: Database,
  batches: readonly (readonly IncomingFrame[])[],
  writer: FrameQueue = newWriter(database),
): Promise<FrameOutcome[]> {
  const account = await accountNumber(database);
  const receipts: FrameOutcome[] = [];
  for (const batch of batches) receipts.push(...(await writer.submit(account, batch)));
  return receipts;
}

/** Derives everything of every device from its first frame on, and tells what that changed. */
export async function rederiveAll(database: Database, isThorough = true): Promise<Rederived> {
  const sum = { frames: 0, verdictsChanged: 0, factsSaved: 0, factsRemoved: 0, latestChanged: false };
  const deps = { database, contexts: new AccountContexts(), memory: new MemoryBases() };
  const range = isThorough ? { from: 0, until: Number.MAX_SAFE_INTEGER } : null;
  for (const key of await foundInEach(database, (account) => foldedDevices(database, account))) {
    const result = await rederive(deps, key, { range, isThorough });
    if (result === null) continue;
    sum.frames += result.frames;
    sum.verdictsChanged += result.verdictsChanged;
    sum.factsSaved += result.factsSaved;
    sum.factsRemoved += result.factsRemoved;
    sum.latestChanged ||= result.latestChanged;
  }
  return sum;
}

/** What `rederiveAll` comes to where the store already says what its frames tell. */
export const nothingChanged = { verdictsChanged: 0, factsSaved: 0, factsRemoved: 0, latestChanged: false } as const;

const written = [
  ...frameTables,
  "readings",
  "reading_blocks",
  "trips",
  "stops",
  "geofence_events",
  "alerts",
  "mileage_days",
  "latest_positions",
  "fold_checkpoints",
  "device_folds",
] as const;

/** As if no frame had ever come; the fleet stays. Far quicker than another store. */
export async function forgetFrames(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    for (const table of written) await tx.run(plainSql(`delete from ${table}`));
  });
}

/** Devices of all accounts that follow earlier rules. */
export async function waitingCount(database: Database): Promise<number> {
  const counts = await foundInEach(database, async (account) => [await countWaitingDevices(database, account)]);
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Devices of which something is still to be derived. */
export async function dirtyCount(database: Database): Promise<number> {
  const row = await database.get<{ count: number }>(
    sql`select count(*) as count from device_folds where dirty_from is not null`,
  );
  return row?.count ?? 0;
}
