import type { UserRole } from "../../domain/fleet.ts";
import type { Reader, Transaction } from "../database.ts";
import { listOf } from "../in-list.ts";
import { sql } from "../sql.ts";

/** Users who were removed and are kept: their names are shown where they acknowledged an alert, and nowhere else. */
export interface RemovableUser {
  readonly account_id: number;
  readonly id: string;
  readonly role: UserRole;
  readonly name: string;
  readonly email: string;
  readonly removed_at: number | null;
}

const removableUserColumns = sql`account_id, id, role, name, email, removed_at`;

/** A user of the account, removed or not. */
export function removableUser(reader: Reader, accountId: number, id: string): Promise<RemovableUser | null> {
  return reader.get(sql`select ${removableUserColumns} from users where account_id = ${accountId} and id = ${id}`);
}

export function removedUsers(reader: Reader, accountId: number): Promise<RemovableUser[]> {
  return reader.all(sql`
    select ${removableUserColumns} from users where account_id = ${accountId} and removed_at is not null order by name, id`);
}

/** Those of these users who were removed. */
export async function removedUsersAmong(reader: Reader, ids: Iterable<string>): Promise<ReadonlySet<string>> {
  const rows = await reader.all<{ id: string }>(
    sql`select id from users where id in ${listOf(ids)} and removed_at is not null`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** They are there again, as a fleet file describes them. */
export async function showUsers(tx: Transaction, ids: Iterable<string>): Promise<void> {
  await tx.writeAny(sql`update users set removed_at = null, removed_email = null where id in ${listOf(ids)}`);
}

/** The e-mail is compared by `email_key`, so it is free for another user. Nobody signs in, and no key works. */
export async function hideUser(tx: Transaction, { account_id, id }: RemovableUser, now: number): Promise<void> {
  await tx.write(sql`
    update users set removed_at = ${now}, removed_email = email, email_key = 'removed ' || id, status = 'disabled',
      password_hash = null, updated_at = ${now}
    where account_id = ${account_id} and id = ${id}`);
  await tx.writeAny(sql`
    update api_keys set revoked_at = ${now}
    where account_id = ${account_id} and user_id = ${id} and revoked_at is null`);
  await tx.run(sql`delete from sessions where account_id = ${account_id} and user_id = ${id}`);
  await tx.run(sql`delete from one_time_links where user_id = ${id}`);
}
