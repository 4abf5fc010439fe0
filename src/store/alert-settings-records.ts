import type { BulkTable, Reader, Transaction } from "./database.ts";
import { allIn } from "./in-list.ts";
import { sql } from "./sql.ts";

export interface AlertSettingsVersionRow {
  readonly account_id: number;
  readonly device: number;
  readonly valid_from: number;
  readonly rules_json: string;
}

const table: BulkTable = {
  name: "alert_settings_versions",
  columns: {
    account_id: "bigint",
    device: "bigint",
    valid_from: "bigint",
    rules_json: "text",
    created_at: "bigint",
  },
  onConflict: `on conflict (account_id, device, valid_from) do update set rules_json = excluded.rules_json,
    created_at = excluded.created_at`,
};

/** All versions for the devices named, each device's in ascending time. */
export function alertSettingsVersions(reader: Reader, devices: Iterable<number>): Promise<AlertSettingsVersionRow[]> {
  return allIn(
    reader,
    devices,
    (list) => sql`
      select v.account_id, v.device, v.valid_from, v.rules_json
      from device_directory e
      join alert_settings_versions v on v.account_id = e.account_id and v.device = e.device
      where e.device in ${list} order by v.device, v.valid_from`,
  );
}

/** A device with the rules in force for it. */
export interface RulesOfDevice {
  readonly device: number;
  readonly id: string;
  readonly imei: string;
  readonly rules_json: string;
}

/** The newest version for each of the devices named that has one. */
export function newestAlertSettings(reader: Reader, devices: Iterable<number>): Promise<RulesOfDevice[]> {
  return allIn(
    reader,
    devices,
    (list) => sql`
      select e.device, e.id, e.imei, v.rules_json
      from device_directory e
      join alert_settings_versions v on v.account_id = e.account_id and v.device = e.device and v.valid_from = (
        select max(newer.valid_from) from alert_settings_versions newer
        where newer.account_id = e.account_id and newer.device = e.device)
      where e.device in ${list}`,
  );
}

export async function saveAlertSettings(
  tx: Transaction,
  rows: readonly AlertSettingsVersionRow[],
  now: number,
): Promise<void> {
  await tx.insertMany(
    table,
    rows.map((row) => ({ ...row, created_at: now })),
  );
}
