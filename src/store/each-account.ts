import type { Reader } from "./database.ts";
import { limitTo, sql } from "./sql.ts";

/** Background work goes account by account: on many machines, a statement that names no account runs on all of them. */

/** How a walk leaves room for others. */
export interface WalkPace {
  readonly isStopped: boolean;
  rest(): Promise<void>;
}

const accountsPerRead = 500;

/** Accounts between two rests: some milliseconds. */
const accountsPerTurn = 64;

/** All accounts in ascending order, also those that are suspended or being erased. They are read page by page. */
export async function* allAccounts(reader: Reader): AsyncGenerator<number, void, void> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const page = await reader.all<{ account_id: number }>(sql`
      select account_id from accounts where account_id > ${after} order by account_id ${limitTo(accountsPerRead)}`);
    for (const { account_id } of page) yield account_id;
    if (page.length < accountsPerRead) return;
    after = page.at(-1)?.account_id ?? after;
  }
}

/** Does the work for each account, one after the other. If one fails, the others get their turn; then its failure is thrown. */
export async function eachAccount(
  reader: Reader,
  pace: WalkPace,
  work: (accountId: number) => Promise<unknown>,
  { accounts = allAccounts(reader) }: { readonly accounts?: AsyncIterable<number> | Iterable<number> } = {},
): Promise<void> {
  const failures: unknown[] = [];
  let count = 0;
  for await (const accountId of accounts) {
    if (pace.isStopped) break;
    await work(accountId).catch((error) => failures.push(error));
    if (++count % accountsPerTurn === 0) await pace.rest();
  }
  if (failures.length > 0) throw failures[0];
}

/** What is found in the accounts, one after the other, for a command that does nothing else. */
export async function foundInEach<Row>(
  reader: Reader,
  find: (accountId: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for await (const accountId of allAccounts(reader)) found.push(...(await find(accountId)));
  return found;
}

/** Reads account by account, because no statement is about two accounts (distribution.ts). */
export async function inEachAccount<Owned extends { readonly account_id: number }, Result>(
  rows: Iterable<Owned>,
  read: (accountId: number, rows: readonly Owned[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [accountId, own] of Map.groupBy(rows, ({ account_id }) => account_id)) {
    for (const result of await read(accountId, own)) results.push(result);
  }
  return results;
}
