import { dayMs } from "../../domain/time/time.ts";
import type { Database, Transaction } from "../../store/database.ts";
import { eachAccount } from "../../store/each-account.ts";
import { forgetRecords, forgetRemovals } from "../../store/upkeep/forgotten-removals.ts";
import { thinChanges, untidyLog } from "../../store/upkeep/old-changes.ts";
import { Background } from "../pace.ts";

/** Followers that were away for less get each change as it was committed; others get whole days again. */
const exactDays = 2;
/** Followers that were away for longer, and missed a removal, must begin again. */
const rememberedDays = 31;

/** Removals of one transaction: some milliseconds, since others wait for it. */
const removalsPerTransaction = 1_000;
/** Rows of the log, each with up to some dozens of entries. */
const rowsPerTransaction = 100;

/** Merges old entries of the log of changes, and forgets old removals. */
export async function tidyChanges(database: Database, now: number, stop: AbortSignal): Promise<void> {
  const pace = new Background(stop);
  const repeated = async (some: (tx: Transaction) => Promise<number>) => {
    while (!pace.isStopped && (await database.transaction(some)) > 0) await pace.rest();
  };
  const forgotten = now - rememberedDays * dayMs;
  await eachAccount(database, pace, async (accountId) => {
    const { isToThin, hasRemovals, hasRecords } = await untidyLog(database, accountId, forgotten);
    if (hasRemovals) await repeated((tx) => forgetRemovals(tx, accountId, forgotten, removalsPerTransaction));
    if (hasRecords) await repeated((tx) => forgetRecords(tx, accountId, forgotten, removalsPerTransaction));
    if (!isToThin) return;
    await repeated((tx) => thinChanges(tx, accountId, now - exactDays * dayMs, rowsPerTransaction));
  });
}
