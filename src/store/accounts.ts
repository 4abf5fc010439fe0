import type { BulkTable, Reader, Transaction } from "./database.ts";
import { allIn } from "./in-list.ts";
import { sql } from "./sql.ts";

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly status: "active" | "suspended";
  readonly limit_per_second: number;
  readonly limit_per_day: number;
  /** For all keys together; null: no such limit. */
  readonly limit_account_per_day: number | null;
}

export interface StoredAccount extends AccountRow {
  readonly account_id: number;
  readonly created_at: number;
}

const table: BulkTable = {
  name: "accounts",
  columns: {
    id: "uuid",
    name: "text",
    status: "text",
    limit_per_second: "integer",
    limit_per_day: "integer",
    limit_account_per_day: "integer",
    created_at: "bigint",
    updated_at: "bigint",
  },
  onConflict: `on conflict (id) do update set name = excluded.name, status = excluded.status,
    limit_per_second = excluded.limit_per_second, limit_per_day = excluded.limit_per_day,
    limit_account_per_day = excluded.limit_account_per_day, updated_at = excluded.updated_at`,
};

export function accountsById(reader: Reader, ids: Iterable<string>): Promise<StoredAccount[]> {
  return allIn(
    reader,
    ids,
    (list) => sql`
      select account_id, id, name, status, limit_per_second, limit_per_day, limit_account_per_day, created_at
      from accounts where id in ${list}`,
  );
}

export async function saveAccounts(tx: Transaction, rows: readonly AccountRow[], now: number): Promise<void> {
  await tx.insertMany(
    table,
    rows.map((row) => ({ ...row, created_at: now, updated_at: now })),
  );
}

/** The account of a row that refers to it: it is always there. */
export async function accountByInternalId(reader: Reader, accountId: number): Promise<StoredAccount> {
  const row = await reader.get<StoredAccount>(sql`
    select account_id, id, name, status, limit_per_second, limit_per_day, limit_account_per_day, created_at
    from accounts where account_id = ${accountId}`);
  if (!row) throw new Error(`account ${accountId} is referred to but not there`);
  return row;
}
