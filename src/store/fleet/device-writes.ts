import type { RowOf } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { inEachAccount } from "../each-account.ts";
import { listOf, nothing, type Sql, sql } from "../sql.ts";
import { listed, omit, stamped, upsert } from "../table.ts";
import { copyImeis } from "./assignments.ts";
import { deviceTable, directoryTable } from "./devices.ts";

export type DirectoryEntry = RowOf<typeof directoryTable.columns>;

const loaded = omit(deviceTable.columns, "created_at", "updated_at");

/** A device as the fleet file describes it, with its internal number. */
export type FleetDeviceRow = RowOf<typeof loaded>;

const directoryColumns = listed(directoryTable.columns);
const directory = upsert({ ...directoryTable, columns: omit(directoryTable.columns, "device") }, ["account_id"]);
const deviceColumns = listed(loaded, "d");
const devices = upsert(deviceTable, ["id", "created_at"]);

export function directoryById(reader: Reader, ids: Iterable<string>): Promise<DirectoryEntry[]> {
  return reader.all(sql`select ${directoryColumns} from device_directory where id in ${listOf(ids)}`);
}

export function directoryByImei(reader: Reader, imeis: Iterable<string>): Promise<DirectoryEntry[]> {
  return reader.all(sql`select ${directoryColumns} from device_directory where imei in ${listOf(imeis)}`);
}

/** Devices of any account, removed or not. */
export function fleetDevicesById(reader: Reader, ids: Iterable<string>): Promise<FleetDeviceRow[]> {
  return devicesById(reader, ids, deviceColumns, nothing);
}

/** The same with these columns of `devices d`, and only those of which the condition holds: `and …`. */
export async function devicesById<Row>(
  reader: Reader,
  ids: Iterable<string>,
  columns: Sql,
  condition: Sql,
): Promise<Row[]> {
  return inEachAccount(await directoryById(reader, ids), (accountId, entries) => {
    const numbers = listOf(entries.map(({ device }) => device));
    return reader.all<Row>(sql`
      select ${columns} from devices d where d.account_id = ${accountId} and d.device in ${numbers} ${condition}`);
  });
}

export async function saveDirectory(
  tx: Transaction,
  entries: readonly Omit<DirectoryEntry, "device">[],
): Promise<void> {
  await tx.insertMany(directory, entries.map(moving));
  await tx.insertMany(directory, entries);
}

/** Two devices may swap their trackers in one file, so the old IMEIs must be cleared first. */
function moving<Device extends { readonly id: string }>(device: Device): Device & { imei: string } {
  return { ...device, imei: `moving ${device.id}` };
}

export async function saveDevices(tx: Transaction, rows: readonly FleetDeviceRow[], now: number): Promise<void> {
  await tx.insertMany(devices, stamped(rows.map(moving), now));
  await tx.insertMany(devices, stamped(rows, now));
  await copyImeis(tx, rows);
}

export async function countDevices(reader: Reader, accountId: number): Promise<number> {
  const row = await reader.get<{ count: number }>(
    sql`select count(*) as count from devices where account_id = ${accountId} and removed_at is null`,
  );
  return row?.count ?? 0;
}

/** The devices of an account, all or those named. Not those that were removed. */
export function fleetDevicesOfAccount(
  reader: Reader,
  accountId: number,
  ids: Iterable<string> | null,
): Promise<FleetDeviceRow[]> {
  const all = sql`select ${deviceColumns} from devices d where d.account_id = ${accountId} and d.removed_at is null`;
  if (ids === null) return reader.all(sql`${all} order by d.id`);
  return reader.all(sql`${all} and d.id in ${listOf(ids)}`);
}
