import { parseChange } from "../../domain/changes/change-text.ts";
import { changeRows, changeTable, entriesIn, entryColumns } from "../changes/change-entries.ts";
import type { RowOf } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { limitTo, type Sql, sql } from "../sql.ts";
import { listed } from "../table.ts";
import { tidyLock } from "../upkeep/forgotten-removals.ts";

/** Rows of the log that are looked at in one transaction. */
const rowsPerStep = 2_000;

/**
 * Erases a device from the next rows of its account's log of changes: its own rows, and its entries in rows of several.
 * Returns the last number that was looked at; null: there are no more. The log has no index by device, so all of it is walked,
 * up to `end`: of a device that is marked nothing is added, while others may add rows faster than they are walked.
 */
export async function eraseFromLog(
  tx: Transaction,
  key: DeviceKey,
  after: number,
  end: number,
): Promise<number | null> {
  const { accountId, device } = key;
  if (after >= end) return null;
  await tx.lock(tidyLock);
  const until = await lastNumber(tx, accountId, after);
  if (until === null) return null;
  const isNext = sql`account_id = ${accountId} and number > ${after} and number <= ${until}`;
  await tx.run(sql`delete from changes where ${isNext} and device = ${device}`);
  const shared = await tx.all<RowOf<typeof entryColumns>>(sql`
    select ${columns} from changes where ${isNext} and device >= ${-device} and device < 0`);
  for (const row of shared) await eraseFromRow(tx, key, row);
  return until;
}

/** The last number of the account's log; before the first: -1. */
export async function endOfLog(reader: Reader, accountId: number): Promise<number> {
  const row = await reader.get<{ end: number | null }>(sql`
    select max(number) as "end" from changes where account_id = ${accountId}`);
  return row?.end ?? -1;
}

/** The same for all devices of an account. */
export async function eraseLog(tx: Transaction, accountId: number): Promise<boolean> {
  await tx.lock(tidyLock);
  const until = await lastNumber(tx, accountId, -1);
  if (until === null) return false;
  await tx.run(sql`delete from changes where account_id = ${accountId} and number <= ${until}`);
  return true;
}

const columns: Sql = listed(entryColumns);

async function lastNumber(tx: Transaction, accountId: number, after: number): Promise<number | null> {
  const row = await tx.get<{ until: number | null }>(sql`
    select max(number) as until from (
      select number from changes where account_id = ${accountId} and number > ${after}
      order by account_id, number, device ${limitTo(rowsPerStep)}) next`);
  return row?.until ?? null;
}

async function eraseFromRow(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  row: RowOf<typeof entryColumns>,
): Promise<void> {
  const entries = entriesIn(row);
  const others = entries.filter((entry) => entry.device !== device);
  if (others.length === entries.length) return;
  const { number, changed_at: changedAt } = row;
  // A row of several is under the least of its devices, which may be this one.
  await tx.run(sql`
    delete from changes where account_id = ${accountId} and number = ${number} and device = ${row.device}`);
  const left = others.map(({ device, text }) => ({ device, change: parseChange(text, changedAt), isShared: false }));
  await tx.insertMany(changeTable, changeRows({ accountId, number, changedAt }, left));
}
