import type { Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { listOf } from "../in-list.ts";
import { sql } from "../sql.ts";
import { devicesById } from "./device-writes.ts";

/**
 * Devices that were removed and are kept. Nobody sees them: `isNotRemoved` (visible.ts) is part of every query for a viewer.
 * Their IMEI is free for another device, so a text that is no IMEI takes its place.
 */
export interface RemovableDevice {
  readonly account_id: number;
  readonly device: number;
  readonly id: string;
  readonly name: string;
  readonly plate: string | null;
  /** Of a removed one `removed …`, which no tracker can send. */
  readonly imei: string;
  readonly removed_at: number | null;
  readonly removed_imei: string | null;
  /** Since when it is being erased. */
  readonly erasing_at: number | null;
}

/** Of `devices d`. */
export const removableColumns = sql`d.account_id, d.device, d.id, d.name, d.plate, d.imei, d.removed_at, d.removed_imei,
  d.erasing_at`;

/** A device of the account, removed or not. */
export function removableDevice(reader: Reader, accountId: number, id: string): Promise<RemovableDevice | null> {
  return reader.get(sql`select ${removableColumns} from devices d where d.account_id = ${accountId} and d.id = ${id}`);
}

/** All that the account has removed and keeps, or is erasing, by name. */
export function removedDevices(reader: Reader, accountId: number): Promise<RemovableDevice[]> {
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
  await tx.write(sql`update device_directory set imei = 'removed ' || id where device = ${device}`);
}

/** The IMEI must be free. */
export async function showDevice(tx: Transaction, { accountId, device }: DeviceKey, now: number): Promise<void> {
  const removed = await tx.get<{ removed_imei: string }>(sql`
    select removed_imei from devices where account_id = ${accountId} and device = ${device}`);
  await tx.write(sql`update device_directory set imei = ${removed?.removed_imei ?? null} where device = ${device}`);
  await tx.write(sql`
    update devices set imei = removed_imei, removed_at = null, removed_imei = null, updated_at = ${now}
    where account_id = ${accountId} and device = ${device}`);
}
