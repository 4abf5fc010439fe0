import type { UserRole } from "../../domain/fleet.ts";
import { isConfirmed } from "../access/email-confirmations.ts";
import type { LinkedUser } from "../access/sign-ins.ts";
import type { Reader } from "../database.ts";
import type { TaggedDevice } from "../fleet/device-rules.ts";
import { listOf, nothing, sql } from "../sql.ts";
import { isNotRemoved } from "../visible.ts";

/** A person who may sign in, and so may be mailed. */
export interface NotifiablePerson extends LinkedUser {
  readonly id: string;
  readonly role: UserRole;
}

/** All such people of an account, or one of them. */
export function notifiablePeople(
  reader: Reader,
  accountId: number,
  userId: string | null,
): Promise<NotifiablePerson[]> {
  const one = userId === null ? nothing : sql`and u.id = ${userId}`;
  return reader.all(sql`
    select u.id, u.role, u.name, u.email, ${isConfirmed} as is_confirmed,
      a.id as account_uuid, a.name as account_name, a.time_zone, u.spoken_language
    from users u join accounts a on a.account_id = u.account_id and a.status = 'active'
    where u.account_id = ${accountId} and u.status = 'active' and u.removed_at is null ${one} order by u.id`);
}

export interface NotifiedDevice extends TaggedDevice {
  readonly id: string;
}

export function taggedDevices(reader: Reader, accountId: number, devices: Iterable<number>): Promise<NotifiedDevice[]> {
  return reader.all(sql`
    select d.device, d.id, d.tags_json from devices d
    where d.account_id = ${accountId} and d.device in ${listOf(devices)} and ${isNotRemoved}`);
}
