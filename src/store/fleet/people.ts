import type { UserRole, UserStatus } from "../../domain/fleet.ts";
import type { Reader } from "../database.ts";
import { nothing, sql } from "../sql.ts";

/** Somebody of an account, as the owner sees them. */
export interface PersonRow {
  readonly id: string;
  readonly account_id: number;
  readonly role: UserRole;
  readonly name: string;
  readonly email: string;
  readonly status: UserStatus;
  /** 0: nobody has chosen a password yet. */
  readonly has_password: number;
  readonly last_login_at: number | null;
  readonly created_at: number;
}

/** All people of an account, the owner first, or one of them. Not those who were removed. */
export function peopleOfAccount(reader: Reader, accountId: number, id: string | null): Promise<PersonRow[]> {
  const one = id === null ? nothing : sql`and id = ${id}`;
  return reader.all(sql`
    select id, account_id, role, name, email, status, last_login_at, created_at,
      case when password_hash is null then 0 else 1 end as has_password
    from users where account_id = ${accountId} and removed_at is null ${one}
    order by role, id`);
}

export interface ListedUserRow extends PersonRow {
  readonly account_name: string;
}

/** The users of all accounts, for whoever runs the server. Not those who were removed. */
export function listUsers(reader: Reader): Promise<ListedUserRow[]> {
  return reader.all(sql`
    select u.id, u.account_id, u.role, u.name, u.email, u.status, u.last_login_at, u.created_at,
      case when u.password_hash is null then 0 else 1 end as has_password, a.name as account_name
    from users u join accounts a on a.account_id = u.account_id
    where u.removed_at is null order by a.account_id, u.role, u.email_key`);
}
