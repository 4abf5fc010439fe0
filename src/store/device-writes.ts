import type { DeviceStatus } from "../domain/fleet.ts";
import { copyImeis } from "./assignments.ts";
import type { BulkTable, Reader, Transaction } from "./database.ts";
import { allIn } from "./in-list.ts";
import { sql } from "./sql.ts";

/** Where an IMEI or a public id belongs. */
export interface DirectoryEntry {
  readonly device: number;
  readonly account_id: number;
  readonly imei: string;
  readonly id: string;
}

/** A device as the fleet file describes it, with its internal number. */
export interface DeviceRecordRow {
  readonly account_id: number;
  readonly device: number;
  readonly id: string;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
  readonly status: DeviceStatus;
  readonly vin: string | null;
  readonly vehicle_make: string | null;
  readonly vehicle_model: string | null;
  readonly vehicle_year: number | null;
  readonly vehicle_type: string | null;
  readonly tracker_model: string | null;
  readonly fuel_tank_capacity_l: number | null;
  readonly tags_json: string;
  readonly external_ids_json: string;
  readonly search_text: string;
}

const directory: BulkTable = {
  name: "device_directory",
  columns: { account_id: "bigint", imei: "text", id: "uuid" },
  onConflict: "on conflict (id) do update set imei = excluded.imei",
};

const devices: BulkTable = {
  name: "devices",
  columns: {
    account_id: "bigint",
    device: "bigint",
    id: "uuid",
    imei: "text",
    name: "text",
    plate: "text",
    status: "text",
    vin: "text",
    vehicle_make: "text",
    vehicle_model: "text",
    vehicle_year: "integer",
    vehicle_type: "text",
    tracker_model: "text",
    fuel_tank_capacity_l: "double precision",
    tags_json: "text",
    external_ids_json: "text",
    search_text: "text",
    created_at: "bigint",
    updated_at: "bigint",
  },
  onConflict: `on conflict (account_id, device) do update set imei = excluded.imei, name = excluded.name,
    plate = excluded.plate, status = excluded.status, vin = excluded.vin, vehicle_make = excluded.vehicle_make,
    vehicle_model = excluded.vehicle_model, vehicle_year = excluded.vehicle_year,
    vehicle_type = excluded.vehicle_type, tracker_model = excluded.tracker_model,
    fuel_tank_capacity_l = excluded.fuel_tank_capacity_l, tags_json = excluded.tags_json,
    external_ids_json = excluded.external_ids_json, search_text = excluded.search_text,
    updated_at = excluded.updated_at`,
};

export function directoryById(reader: Reader, ids: Iterable<string>): Promise<DirectoryEntry[]> {
  return allIn(
    reader,
    ids,
    (list) => sql`select device, account_id, imei, id from device_directory where id in ${list}`,
  );
}

export function directoryByImei(reader: Reader, imeis: Iterable<string>): Promise<DirectoryEntry[]> {
  return allIn(
    reader,
    imeis,
    (list) => sql`select device, account_id, imei, id from device_directory where imei in ${list}`,
  );
}

export function deviceRecordsById(reader: Reader, ids: Iterable<string>): Promise<DeviceRecordRow[]> {
  return allIn(
    reader,
    ids,
    (list) => sql`
      select d.account_id, d.device, d.id, d.imei, d.name, d.plate, d.status, d.vin, d.vehicle_make, d.vehicle_model,
        d.vehicle_year, d.vehicle_type, d.tracker_model, d.fuel_tank_capacity_l, d.tags_json, d.external_ids_json,
        d.search_text
      from device_directory e join devices d on d.account_id = e.account_id and d.device = e.device
      where e.id in ${list}`,
  );
}

/** Enters new devices and new IMEIs of known ones; a number is given on the first entry and never changes. */
export async function saveDirectory(
  tx: Transaction,
  entries: readonly { readonly account_id: number; readonly imei: string; readonly id: string }[],
): Promise<void> {
  // Two devices may trade their trackers in one file: what they had has to be out of the way first.
  await tx.insertMany(
    directory,
    entries.map((entry) => ({ ...entry, imei: `moving ${entry.id}` })),
  );
  await tx.insertMany(directory, entries);
}

export async function saveDevices(tx: Transaction, rows: readonly DeviceRecordRow[], now: number): Promise<void> {
  const stamped = rows.map((row) => ({ ...row, created_at: now, updated_at: now }));
  await tx.insertMany(
    devices,
    stamped.map((row) => ({ ...row, imei: `moving ${row.id}` })),
  );
  await tx.insertMany(devices, stamped);
  await copyImeis(tx, rows);
}
