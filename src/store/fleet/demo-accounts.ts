import { bigint, boolean, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { limitTo, sql } from "../sql.ts";
import { listed, table, upsert } from "../table.ts";

const demoTable = table("demo_accounts", ["id"], {
  id: uuid,
  /** Null: it is not made yet. */
  account_id: orNull(bigint),
  /** The account whose owner wants it; null: the demo command made it. */
  wanted_by: orNull(bigint),
  wanted_at: bigint,
  /** How far it is made. */
  state_json: orNull(text),
  /** Whether there is enough of it to look at. */
  is_ready: boolean,
  /** From when on it is to be erased; null: it stays. */
  ends_at: orNull(bigint),
});

/** An account with a made-up fleet. Nobody is mailed of it. */
export type DemoAccountRow = RowOf<typeof demoTable.columns>;

const columns = listed(demoTable.columns);
const added = upsert(demoTable, ["wanted_by", "wanted_at"]);

/** There is mostly none, and hardly ever more than one. */
export function demoAccounts(reader: Reader): Promise<DemoAccountRow[]> {
  return reader.all(sql`select ${columns} from demo_accounts order by wanted_at, id`);
}

export async function saveDemoAccount(tx: Transaction, row: DemoAccountRow): Promise<void> {
  await tx.insertMany(added, [row]);
}

/** How far it is made. What its owner wants of it is not touched: they may say so at the same time. */
export async function noteDemoMade(
  tx: Transaction,
  { id, account_id, state_json, is_ready }: Pick<DemoAccountRow, "id" | "account_id" | "state_json" | "is_ready">,
): Promise<void> {
  await tx.writeAny(sql`
    update demo_accounts set account_id = ${account_id}, state_json = ${state_json}, is_ready = ${is_ready}
    where id = ${id}`);
}

export async function endDemo(tx: Transaction, id: string, now: number): Promise<void> {
  await tx.writeAny(sql`update demo_accounts set ends_at = ${now} where id = ${id} and ends_at is null`);
}

export async function forgetDemoAccount(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`delete from demo_accounts where id = ${id}`);
}

export async function isDemoAccount(reader: Reader, accountId: number): Promise<boolean> {
  const row = await reader.get(sql`select id from demo_accounts where account_id = ${accountId} limit 1`);
  return row !== null;
}

/** How far that of an account is made, as it was noted; null: nothing was. */
export async function demoStateOf(reader: Reader, accountId: number): Promise<string | null> {
  const row = await reader.get<Pick<DemoAccountRow, "state_json">>(
    sql`select state_json from demo_accounts where account_id = ${accountId} limit 1`,
  );
  return row?.state_json ?? null;
}

/**
 * The account of a server that is one owner's alone; null if it has none or several. A made-up fleet beside their own takes
 * nothing from it, nor does one that is being erased.
 */
export async function onlyAccount(reader: Reader): Promise<number | null> {
  const rows = await reader.all<{ account_id: number }>(sql`
    select a.account_id from accounts a
    where a.erasing_at is null and not exists (
      select d.id from demo_accounts d where d.account_id = a.account_id and d.wanted_by is not null)
    ${limitTo(2)}`);
  return rows.length === 1 ? (rows[0]?.account_id ?? null) : null;
}

/** Its people have no mailbox in which they could confirm their addresses. */
export async function confirmDemoPeople(tx: Transaction, accountId: number): Promise<void> {
  await tx.writeAny(sql`update users set confirmed_email = email where account_id = ${accountId}`);
}
