import { emailKeys } from "../../domain/text/email.ts";
import type { Reader } from "../database.ts";
import { foundInEach } from "../each-account.ts";
import { type RemovableDevice, type RemovableUser, removableColumns } from "../fleet/removed.ts";
import { type Sql, sql } from "../sql.ts";
import { erasingAccounts } from "./account-rows.ts";
import { erasingDevices } from "./device-mark.ts";
import { unpurgedErasures } from "./notes.ts";

/** What a name on the server's command line may mean: of any account, removed or not. */

interface OfAccount {
  readonly account: string;
  readonly account_name: string;
}

export type ErasableDevice = RemovableDevice & OfAccount;
export type NamedUser = RemovableUser & OfAccount;

const ofAccount = sql`a.id as account, a.name as account_name`;

/** Those that have the IMEI now come before those that had it. */
export async function devicesNamed(reader: Reader, name: { id: string } | { imei: string }): Promise<ErasableDevice[]> {
  const listed = (accountId: number, which: Sql) =>
    reader.all<ErasableDevice>(sql`
      select ${removableColumns}, ${ofAccount} from devices d join accounts a on a.account_id = ${accountId}
      where d.account_id = ${accountId} and ${which} order by d.removed_at, d.id`);
  const which = "id" in name ? sql`id = ${name.id}` : sql`imei = ${name.imei}`;
  const present = await reader.get<{ account_id: number; device: number }>(sql`
    select account_id, device from device_directory where ${which}`);
  const found = present === null ? [] : await listed(present.account_id, sql`d.device = ${present.device}`);
  if ("id" in name) return found;
  const had = sql`d.removed_at is not null and d.removed_imei = ${name.imei}`;
  return [...found, ...(await foundInEach(reader, (accountId) => listed(accountId, had)))];
}

export async function usersNamed(reader: Reader, name: { id: string } | { email: string }): Promise<NamedUser[]> {
  const listed = (which: Sql) =>
    reader.all<NamedUser>(sql`
      select u.account_id, u.id, u.role, u.name, u.email, u.removed_at, ${ofAccount}
      from users u join accounts a on a.account_id = u.account_id where ${which} order by u.removed_at, u.id`);
  if ("id" in name) return listed(sql`u.id = ${name.id}`);
  const { given, normal } = emailKeys(name.email);
  return [
    ...(await listed(sql`u.email_key in (${given}, ${normal})`)),
    ...(await listed(sql`u.removed_at is not null and lower(u.removed_email) in (${given}, ${normal})`)),
  ];
}

export interface NamedDriver extends OfAccount {
  readonly account_id: number;
  readonly id: string;
  readonly name: string;
}

/** Ids of drivers are those of an account: two may have the same. */
export function driversWithId(reader: Reader, id: string): Promise<NamedDriver[]> {
  return foundInEach(reader, (accountId) =>
    reader.all<NamedDriver>(sql`
      select d.account_id, d.id, d.name, ${ofAccount} from drivers d join accounts a on a.account_id = ${accountId}
      where d.account_id = ${accountId} and d.id = ${id}`),
  );
}

/** Whether something is being erased, or was and may still be in the store's files. */
export async function isErasingUnfinished(reader: Reader): Promise<boolean> {
  if ((await unpurgedErasures(reader)) > 0 || (await erasingAccounts(reader)).length > 0) return true;
  return (await erasingDevices(reader, null, 1)).length > 0;
}

export async function isAccountErasing(reader: Reader, accountId: number): Promise<boolean> {
  return (await erasingAccounts(reader)).includes(accountId);
}
