import { bigint, oneOf } from "../columns.ts";
import type { Database, Reader, Transaction } from "../database.ts";
import { allAccounts, type WalkPace } from "../each-account.ts";
import { limitTo, listOf, sql } from "../sql.ts";
import { table } from "../table.ts";

/**
 * Where the background has work: what makes some marks its account, in the same transaction. So looking for work costs the
 * same with one account and with 10,000.
 */
export type MarkedWork = keyof typeof reasons;

/** When an account is marked. */
const reasons = {
  derive: "late frames are stored, or the fleet has changed: something is to be derived again",
  offline: "a device was seen for the first time or again, or rules have changed: it may fall silent",
  silence: "a trip has begun: its tracker may fall silent",
};

export interface AccountMark {
  readonly work: MarkedWork;
  readonly accountId: number;
  /** There is nothing to do before this moment. */
  readonly dueAt: number;
}

/** Before all that are due at a moment: a request may wait for it. */
export const dueAtOnce = 0;

const markTable = table("account_marks", ["mark"], {
  mark: bigint,
  work: oneOf<MarkedWork>(),
  account_id: bigint,
  due_at: bigint,
});

export async function markAccounts(tx: Transaction, marks: readonly AccountMark[]): Promise<void> {
  const rows = marks.map(({ work, accountId, dueAt }) => ({
    // Not counted up: nodes would wait for each other.
    mark: Math.floor(Math.random() * Number.MAX_SAFE_INTEGER),
    work,
    account_id: accountId,
    due_at: dueAt,
  }));
  await tx.insertMany(markTable, rows);
}

/** The accounts that are due next, each with all its marks for this work, also later ones. */
export async function dueAccounts(
  reader: Reader,
  work: MarkedWork,
  now: number,
  count: number,
): Promise<Map<number, readonly number[]>> {
  const rows = await reader.all<{ account_id: number; mark: number }>(sql`
    select m.account_id, m.mark from account_marks m where m.work = ${work} and m.account_id in (
      select due.account_id from account_marks due where due.work = ${work} and due.due_at <= ${now}
      group by due.account_id order by min(due.due_at) ${limitTo(count)})`);
  const marks = Map.groupBy(rows, ({ account_id }) => account_id);
  return new Map(marks.entries().map(([accountId, own]) => [accountId, own.map(({ mark }) => mark)]));
}

/** Replaces marks whose work is done. Those that were made meanwhile stay. */
export async function replaceMarks(
  database: Database,
  done: readonly number[],
  next: readonly AccountMark[],
): Promise<void> {
  if (done.length === 0) return;
  await database.transaction(async (tx) => {
    await tx.run(sql`delete from account_marks where mark in ${listOf(done)}`);
    await markAccounts(tx, next);
  });
}

const accountsPerTransaction = 500;

/** Marks every account for everything: once in a while, for a restored store, or marks that were lost. */
export async function markAllAccounts(database: Database, now: number, pace: WalkPace): Promise<void> {
  const works = Object.keys(reasons) as MarkedWork[];
  let some: AccountMark[] = [];
  const save = async () => {
    const marks = some;
    some = [];
    if (marks.length > 0) await database.transaction((tx) => markAccounts(tx, marks));
    await pace.rest();
  };
  for await (const accountId of allAccounts(database)) {
    if (pace.isStopped) return;
    some.push(...works.map((work) => ({ work, accountId, dueAt: now })));
    if (some.length >= accountsPerTransaction * works.length) await save();
  }
  await save();
}
