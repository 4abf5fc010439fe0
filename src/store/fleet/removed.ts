import { bigint, orNull, type RowOf, text } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { listOf, sql } from "../sql.ts";
import { listed, pick } from "../table.ts";
import { devicesById, type FleetDeviceRow } from "./device-writes.ts";
import { deviceTable } from "./devices.ts";
import { freeTrackerNames, saveTrackerNames } from "./tracker-name-writes.ts";
import { userTable } from "./users.ts";

const removable = {
  ...pick(deviceTable.columns, "account_id", "device", "id", "name", "plate", "imei", "tracker_id"),
  removed_at: orNull(bigint),
  removed_imei: orNull(text),
  erasing_at: orNull(bigint),
};

/**
 * A device that was removed and is kept. Nobody sees it: `isNotRemoved` (visible.ts) is part of every query for a viewer. Its
 * IMEI is free for another device: in its place is `removed …`, which no tracker can send. So is its tracker id.
 */
export type RemovableDevice = RowOf<typeof removable>;

/** One that was removed. */
type Removed<Row> = Row & { readonly removed_at: number };

export const removableColumns = listed(removable, "d");

/** A device of the account, removed or not. */
export function removableDevice(reader: Reader, accountId: number, id: string): Promise<RemovableDevice | null> {
  return reader.get(sql`select ${removableColumns} from devices d where d.account_id = ${accountId} and d.id = ${id}`);
}

/** All that the account has removed and keeps, or is erasing, by name. */
export function removedDevices(reader: Reader, accountId: number): Promise<Removed<RemovableDevice>[]> {
  return reader.all(sql`
    select ${removableColumns} from devices d
    where d.account_id = ${accountId} and d.removed_at is not null order by d.name, d.id`);
}

/** Those of these devices that were removed, by public id. */
export async function removedAmong(
  reader: Reader,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, Pick<RemovableDevice, "id" | "erasing_at">>> {
  const rows = await devicesById<Pick<RemovableDevice, "id" | "erasing_at">>(
    reader,
    ids,
    sql`d.id, d.erasing_at`,
    sql`and d.removed_at is not null`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** They are there again, as a fleet file describes them. */
export async function unmarkRemoved(tx: Transaction, accountId: number, devices: Iterable<number>): Promise<void> {
  await tx.writeAny(sql`
    update devices set removed_at = null, removed_imei = null
    where account_id = ${accountId} and device in ${listOf(devices)}`);
}

export async function hideDevice(tx: Transaction, { accountId, device }: DeviceKey, now: number): Promise<void> {
  await tx.write(sql`
    update devices set removed_at = ${now}, removed_imei = imei, imei = 'removed ' || id, updated_at = ${now}
    where account_id = ${accountId} and device = ${device}`);
  await tx.write(sql`
    update device_directory set imei = 'removed ' || id, tracker_protocol = null where device = ${device}`);
  await freeTrackerNames(tx, sql`account_id = ${accountId} and device = ${device}`);
}

/** The IMEI and the tracker id must be free. */
export async function showDevice(tx: Transaction, { accountId, device }: DeviceKey, now: number): Promise<void> {
  const removed = await tx.get<Pick<FleetDeviceRow, "tracker_id" | "tracker_protocol"> & { removed_imei: string }>(sql`
    select removed_imei, tracker_id, tracker_protocol from devices where account_id = ${accountId} and device = ${device}`);
  const { removed_imei: imei = "", tracker_id = null, tracker_protocol: protocol = null } = removed ?? {};
  await tx.write(sql`
    update device_directory set imei = ${imei}, tracker_protocol = ${protocol} where device = ${device}`);
  await saveTrackerNames(tx, [{ account_id: accountId, device, imei, tracker_id }]);
  await tx.write(sql`
    update devices set imei = removed_imei, removed_at = null, removed_imei = null, updated_at = ${now}
    where account_id = ${accountId} and device = ${device}`);
}

const removableUsers = {
  ...pick(userTable.columns, "account_id", "id", "role", "name", "email"),
  removed_at: orNull(bigint),
};

/** A user who was removed and is kept: the name is shown where the user acknowledged an alert, and nowhere else. */
export type RemovableUser = RowOf<typeof removableUsers>;

const removableUserColumns = listed(removableUsers);

/** A user of the account, removed or not. */
export function removableUser(reader: Reader, accountId: number, id: string): Promise<RemovableUser | null> {
  return reader.get(sql`select ${removableUserColumns} from users where account_id = ${accountId} and id = ${id}`);
}

export function removedUsers(reader: Reader, accountId: number): Promise<Removed<RemovableUser>[]> {
  return reader.all(sql`
    select ${removableUserColumns} from users where account_id = ${accountId} and removed_at is not null order by name, id`);
}

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
