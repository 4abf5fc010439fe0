import type { UserRole, UserStatus } from "../../domain/fleet.ts";
import { emailKeys } from "../../domain/text/email.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { isConfirmed } from "../access/email-confirmations.ts";
import { bigint, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import type { IdPage } from "../pages.ts";
import { limitTo, listOf, nothing, type Sql, sql } from "../sql.ts";
import { listed, omit, stamped, table, upsert } from "../table.ts";
import type { ManagedBy } from "./record-revisions.ts";

export const userTable = table("users", ["id"], {
  id: uuid,
  account_id: bigint,
  role: oneOf<UserRole>(),
  name: text,
  email: text,
  email_key: text,
  password_hash: orNull(text),
  /** `portal` once its person has chosen it there, even if the file manages the rest. */
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

export function someOwners(reader: Reader, count: number): Promise<UserRow[]> {
  return reader.all(sql`select ${columns} from users where role = 'owner' order by account_id ${limitTo(count)}`);
}

export async function saveUsers(tx: Transaction, rows: readonly UserRow[], now: number): Promise<void> {
  const users = stamped(rows, now);
  // Two users may swap their addresses or the ownership in one file, so the old values must be cleared first.
  await tx.insertMany(
    bulk,
    users.map((row) => ({ ...row, role: "sub_account", email_key: `moving ${row.id}` })),
  );
  await tx.insertMany(bulk, users);
  // Another address is not confirmed by itself; what was confirmed before need not be remembered.
  await tx.writeAny(sql`
    update users set confirmed_email = null
    where id in ${listOf(rows.map(({ id }) => id))} and confirmed_email <> email`);
}

/** The users of an account, all or those named. Not those who were removed. */
export function usersOfAccount(reader: Reader, accountId: number, ids: Iterable<string> | null): Promise<UserRow[]> {
  const all = sql`select ${columns} from users where account_id = ${accountId} and removed_at is null`;
  if (ids === null) return reader.all(sql`${all} order by id`);
  return reader.all(sql`${all} and id in ${listOf(ids)}`);
}

/** No list shows these. */
const secret = ["email_key", "password_hash", "password_managed_by"] as const;
const person = omit(userTable.columns, "updated_at", ...secret);

export interface ListedPersonRow extends RowOf<typeof person> {
  /** 0: nobody has chosen a password yet. */
  readonly has_password: number;
  /** 1: the person has confirmed the address. */
  readonly is_confirmed: number;
}

const personColumns = sql`
  ${listed(person, "u")}, case when u.password_hash is null then 0 else 1 end as has_password,
  ${isConfirmed} as is_confirmed`;

/** All people of an account, the owner first, or one of them. Not those who were removed. */
export function peopleOfAccount(reader: Reader, accountId: number, id: string | null): Promise<ListedPersonRow[]> {
  const one = id === null ? nothing : sql`and u.id = ${id}`;
  return reader.all(sql`
    select ${personColumns} from users u where u.account_id = ${accountId} and u.removed_at is null ${one}
    order by u.role, u.id`);
}

export interface ListedUserRow extends ListedPersonRow {
  readonly account_name: string;
}

/** The users of all accounts, for the person who runs the server. Not those who were removed. */
export function listedUsers(reader: Reader): Promise<ListedUserRow[]> {
  return reader.all(sql`
    select ${personColumns}, a.name as account_name from users u join accounts a on a.account_id = u.account_id
    where u.removed_at is null order by a.account_id, u.role, u.email_key`);
}

const subAccountColumns = omit(userTable.columns, "account_id", "role", ...secret);

export interface SubAccountRow extends RowOf<typeof subAccountColumns> {
  readonly device_count: number;
}

const subAccountList = listed(subAccountColumns, "u");

function select(visibility: Visibility): Sql {
  return sql`
    select ${subAccountList}, (
      select count(*) from assignments a
      where a.account_id = ${visibility.accountId} and a.user_id = u.id) as device_count
    from users u where ${isInSight(visibility)}`;
}

/** In ascending id. */
export function subAccounts(reader: Reader, visibility: Visibility, page: IdPage): Promise<SubAccountRow[]> {
  const start = page.after === null ? nothing : sql`and u.id > ${page.after}`;
  return reader.all(sql`${select(visibility)} ${start} order by u.id ${limitTo(page.count)}`);
}

/** A sub-account always reads itself, so that one it cannot see takes the same time as one that does not exist. */
export async function subAccount(reader: Reader, visibility: Visibility, id: string): Promise<SubAccountRow | null> {
  const read = visibility.sees === "account" ? id : visibility.userId;
  const row = await reader.get<SubAccountRow>(sql`${select(visibility)} and u.id = ${read}`);
  return row?.id === id ? row : null;
}

/** The owner sees all sub-accounts, a sub-account only itself. The owner is not among them. */
function isInSight(visibility: Visibility): Sql {
  const subAccountsOfAccount = sql`u.account_id = ${visibility.accountId} and u.role = 'sub_account' and u.removed_at is null`;
  switch (visibility.sees) {
    case "account":
      return subAccountsOfAccount;
    case "assigned":
      return sql`${subAccountsOfAccount} and u.id = ${visibility.userId}`;
    case "shared":
      return sql`1 = 0`;
  }
}
