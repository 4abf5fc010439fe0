import type { AccountStatus } from "../../domain/fleet.ts";
import { bigint, integer, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { listOf, sql } from "../sql.ts";
import { listed, omit, stamped, table, upsert } from "../table.ts";

export const accountTable = table("accounts", ["id"], {
  account_id: bigint,
  id: uuid,
  name: text,
  status: oneOf<AccountStatus>(),
  limit_per_second: integer,
  limit_per_day: integer,
  /** For all keys together; null: no such limit. */
  limit_account_per_day: orNull(integer),
  time_zone: text,
  /** Those it had before, separated by spaces: days whose frames are no longer stored stay days of one of these. */
  earlier_time_zones: text,
  created_at: bigint,
  updated_at: bigint,
});

const stored = omit(accountTable.columns, "updated_at");
const columns = listed(stored);
const bulk = upsert({ ...accountTable, columns: omit(accountTable.columns, "account_id") }, ["created_at"]);

export type StoredAccount = RowOf<typeof stored>;
export type AccountRow = Omit<StoredAccount, "account_id" | "created_at">;

export function accountsById(reader: Reader, ids: Iterable<string>): Promise<StoredAccount[]> {
  return reader.all(sql`
    select ${columns} from accounts where id in ${listOf(ids)}`);
}

/** All accounts, in ascending id. */
export function accountNumbers(reader: Reader): Promise<Pick<StoredAccount, "account_id" | "id">[]> {
  return reader.all(sql`select account_id, id from accounts order by id`);
}

export async function saveAccounts(tx: Transaction, rows: readonly AccountRow[], now: number): Promise<void> {
  await tx.insertMany(bulk, stamped(rows, now));
  const ids = rows.map(({ id }) => id);
  // From the beginning, so that it can be held (fleet-context.ts).
  for (const { account_id } of await accountsById(tx, ids)) {
    await tx.writeAny(sql`
      insert into fleet_revisions (account_id, revision) values (${account_id}, 0) on conflict do nothing`);
  }
}

/** The zones by which days of the account's mileage may be counted: the present one first. */
export interface AccountZones {
  readonly present: string;
  readonly earlier: readonly string[];
}

export async function accountZones(reader: Reader, accountId: number): Promise<AccountZones> {
  const row = await reader.get<Pick<StoredAccount, "time_zone" | "earlier_time_zones">>(sql`
    select time_zone, earlier_time_zones from accounts where account_id = ${accountId}`);
  if (!row) throw new Error(`account ${accountId} is referred to but not there`);
  return { present: row.time_zone, earlier: namesIn(row.earlier_time_zones) };
}

/** The zones that the account had before, when it gets this one. */
export function earlierZones(before: StoredAccount | undefined, timeZone: string): string {
  if (before === undefined) return "";
  const all = new Set([...namesIn(before.earlier_time_zones), before.time_zone]);
  all.delete(timeZone);
  return [...all].join(" ");
}

function namesIn(zones: string): string[] {
  return zones === "" ? [] : zones.split(" ");
}

/** The account that a stored row refers to. */
export async function accountByInternalId(reader: Reader, accountId: number): Promise<StoredAccount> {
  const row = await reader.get<StoredAccount>(sql`
    select ${columns} from accounts where account_id = ${accountId}`);
  if (!row) throw new Error(`account ${accountId} is referred to but not there`);
  return row;
}

export async function hasAccounts(reader: Reader): Promise<boolean> {
  return (await reader.get(sql`select account_id from accounts limit 1`)) !== null;
}
