import { bigint, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { type Sql, sql } from "../sql.ts";
import { listed, omit, table } from "../table.ts";

const tokenTable = table("ingest_tokens", ["id"], {
  account_id: bigint,
  id: uuid,
  name: text,
  prefix: text,
  secret_hash: text,
  created_at: bigint,
  last_used_at: orNull(bigint),
  revoked_at: orNull(bigint),
});

const shown = omit(tokenTable.columns, "secret_hash");

export type IngestTokenRow = Omit<RowOf<typeof tokenTable.columns>, "last_used_at" | "revoked_at">;

export interface ListedIngestTokenRow extends RowOf<typeof shown> {
  readonly account: string;
  readonly account_name: string;
}

export async function addIngestToken(tx: Transaction, token: IngestTokenRow): Promise<void> {
  await tx.insertMany(tokenTable, [token]);
}

const selectListed = sql`
  select ${listed(shown, "t")}, a.id as account, a.name as account_name
  from ingest_tokens t join accounts a on a.account_id = t.account_id`;

/** All tokens, or those of one account (by its public id), oldest first. */
export function listIngestTokens(reader: Reader, account: string | null): Promise<ListedIngestTokenRow[]> {
  const own: Sql = account === null ? sql`` : sql`where a.id = ${account}`;
  return reader.all(sql`${selectListed} ${own} order by t.created_at, t.id`);
}

export function ingestTokenById(reader: Reader, id: string): Promise<ListedIngestTokenRow | null> {
  return reader.get(sql`${selectListed} where t.id = ${id}`);
}

/** One account's, oldest first; `id`: only that one. */
export function accountIngestTokens(
  reader: Reader,
  accountId: number,
  id: string | null = null,
): Promise<ListedIngestTokenRow[]> {
  const only: Sql = id === null ? sql`` : sql`and t.id = ${id}`;
  return reader.all(sql`${selectListed} where t.account_id = ${accountId} ${only} order by t.created_at, t.id`);
}

export async function countWorkingTokens(reader: Reader, accountId: number): Promise<number> {
  const row = await reader.get<{ readonly count: number }>(sql`
    select count(*) as count from ingest_tokens where account_id = ${accountId} and revoked_at is null`);
  return row?.count ?? 0;
}

/** The account whose token it was; null if there is no such token, or it was revoked before. */
export async function revokeIngestToken(tx: Transaction, id: string, now: number): Promise<number | null> {
  const row = await tx.get<{ readonly account_id: number }>(sql`
    update ingest_tokens set revoked_at = ${now} where id = ${id} and revoked_at is null returning account_id`);
  return row?.account_id ?? null;
}

/** The account that a working token sends frames for: not revoked, of an account that is not suspended. */
export function workingIngestToken(
  reader: Reader,
  secretHash: string,
): Promise<{ readonly account_id: number; readonly id: string } | null> {
  return reader.get(sql`
    select t.account_id, t.id from ingest_tokens t
    join accounts a on a.account_id = t.account_id and a.status = 'active'
    where t.secret_hash = ${secretHash} and t.revoked_at is null`);
}

export async function noteTokenUse(tx: Transaction, id: string, now: number): Promise<void> {
  await tx.writeAny(sql`update ingest_tokens set last_used_at = ${now} where id = ${id}`);
}
