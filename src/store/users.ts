import { emailKey } from "../domain/identifiers.ts";
import type { BulkTable, Reader, Transaction } from "./database.ts";
import { allIn } from "./in-list.ts";
import { sql } from "./sql.ts";

export interface UserRow {
  readonly id: string;
  readonly account_id: number;
  readonly role: "owner" | "sub_account";
  readonly name: string;
  readonly email: string;
  readonly email_key: string;
  readonly password_hash: string | null;
  readonly status: "active" | "disabled";
}

const table: BulkTable = {
  name: "users",
  columns: {
    id: "uuid",
    account_id: "bigint",
    role: "text",
    name: "text",
    email: "text",
    email_key: "text",
    password_hash: "text",
    status: "text",
    created_at: "bigint",
    updated_at: "bigint",
  },
  onConflict: `on conflict (id) do update set role = excluded.role, name = excluded.name, email = excluded.email,
    email_key = excluded.email_key, password_hash = excluded.password_hash, status = excluded.status,
    updated_at = excluded.updated_at`,
};

const columns = sql`id, account_id, role, name, email, email_key, password_hash, status`;

export function usersById(reader: Reader, ids: Iterable<string>): Promise<UserRow[]> {
  return allIn(reader, ids, (list) => sql`select ${columns} from users where id in ${list}`);
}

export function usersByEmail(reader: Reader, emails: Iterable<string>): Promise<UserRow[]> {
  const keys = [...emails].map(emailKey);
  return allIn(reader, keys, (list) => sql`select ${columns} from users where email_key in ${list}`);
}

export function ownersOf(reader: Reader, accountIds: Iterable<number>): Promise<UserRow[]> {
  return allIn(
    reader,
    accountIds,
    (list) => sql`select ${columns} from users where role = 'owner' and account_id in ${list}`,
  );
}

export async function saveUsers(tx: Transaction, rows: readonly UserRow[], now: number): Promise<void> {
  const stamped = rows.map((row) => ({ ...row, created_at: now, updated_at: now }));
  // Two users may trade their addresses or the ownership in one file: what they had has to be out of the way first.
  await tx.insertMany(
    table,
    stamped.map((row) => ({ ...row, role: "sub_account", email_key: `moving ${row.id}` })),
  );
  await tx.insertMany(table, stamped);
}
