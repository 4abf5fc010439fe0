import { emailKeys } from "../../domain/email.ts";
import type { UserRole, UserStatus } from "../../domain/fleet.ts";
import { bigint, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { listOf } from "../in-list.ts";
import { limitTo } from "../pages.ts";
import { sql } from "../sql.ts";
import { listed, omit, table, upsert } from "../table.ts";
import type { ManagedBy } from "./record-revisions.ts";

export const userTable = table("users", ["id"], {
  id: uuid,
  account_id: bigint,
  role: oneOf<UserRole>(),
  name: text,
  email: text,
  /** The e-mail as it is compared. */
  email_key: text,
  password_hash: orNull(text),
  /** `portal` once its person has chosen it there, whoever manages the rest. */
  password_managed_by: oneOf<ManagedBy>(),
  status: oneOf<UserStatus>(),
  last_login_at: orNull(bigint),
  created_at: bigint,
  updated_at: bigint,
});

const loaded = omit(userTable.columns, "last_login_at", "created_at", "updated_at");
const columns = listed(loaded);
const bulk = upsert({ ...userTable, columns: omit(userTable.columns, "last_login_at") }, ["account_id", "created_at"]);

export type UserRow = RowOf<typeof loaded>;

export function usersById(reader: Reader, ids: Iterable<string>): Promise<UserRow[]> {
  return reader.all(sql`select ${columns} from users where id in ${listOf(ids)}`);
}

export function usersByEmail(reader: Reader, emails: Iterable<string>): Promise<UserRow[]> {
  const keys = [...emails].map(emailKeys).flatMap(({ given, normal }) => [given, normal]);
  return reader.all(sql`select ${columns} from users where email_key in ${listOf(keys)}`);
}

export function ownersOf(reader: Reader, accountIds: Iterable<number>): Promise<UserRow[]> {
  return reader.all(sql`select ${columns} from users where role = 'owner' and account_id in ${listOf(accountIds)}`);
}

/** The owners of up to `count` accounts. */
export function someOwners(reader: Reader, count: number): Promise<UserRow[]> {
  return reader.all(sql`select ${columns} from users where role = 'owner' order by account_id ${limitTo(count)}`);
}

export async function saveUsers(tx: Transaction, rows: readonly UserRow[], now: number): Promise<void> {
  const stamped = rows.map((row) => ({ ...row, created_at: now, updated_at: now }));
  // Two users may swap their addresses or the ownership in one file, so the old values must be cleared first.
  await tx.insertMany(
    bulk,
    stamped.map((row) => ({ ...row, role: "sub_account", email_key: `moving ${row.id}` })),
  );
  await tx.insertMany(bulk, stamped);
}

/** The users of an account, all or those named. Not those who were removed. */
export function usersOfAccount(reader: Reader, accountId: number, ids: Iterable<string> | null): Promise<UserRow[]> {
  const all = sql`select ${columns} from users where account_id = ${accountId} and removed_at is null`;
  if (ids === null) return reader.all(sql`${all} order by id`);
  return reader.all(sql`${all} and id in ${listOf(ids)}`);
}
