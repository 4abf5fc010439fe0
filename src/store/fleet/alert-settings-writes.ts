import { bigint, type RowOf, text } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { listOf } from "../in-list.ts";
import { sql } from "../sql.ts";
import { listed, omit, table, upsert } from "../table.ts";

export const alertSettingsTable = table("alert_settings_versions", ["account_id", "device", "valid_from"], {
  account_id: bigint,
  device: bigint,
  valid_from: bigint,
  rules_json: text,
  created_at: bigint,
});

const loaded = omit(alertSettingsTable.columns, "created_at");
const columns = listed(loaded);
const bulk = upsert(alertSettingsTable);

export type AlertSettingsVersionRow = RowOf<typeof loaded>;

/** All versions for the devices named, each device's in ascending time. */
export function alertSettingsVersions(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<AlertSettingsVersionRow[]> {
  return reader.all(sql`
    select ${columns} from alert_settings_versions
    where account_id = ${accountId} and device in ${listOf(devices)} order by device, valid_from`);
}

/** A device with the rules that were set for it alone. */
export interface OwnRules {
  readonly device: number;
  readonly id: string;
  readonly imei: string;
  readonly rules_json: string;
}

/** The newest version for each of the devices named that has one. */
export function newestOwnRules(reader: Reader, accountId: number, devices: Iterable<number>): Promise<OwnRules[]> {
  return reader.all(sql`
    select e.device, e.id, e.imei, v.rules_json
    from device_directory e
    join alert_settings_versions v on v.account_id = ${accountId} and v.device = e.device and v.valid_from = (
      select max(newer.valid_from) from alert_settings_versions newer
      where newer.account_id = ${accountId} and newer.device = e.device)
    where e.account_id = ${accountId} and e.device in ${listOf(devices)}`);
}

/** The public ids of the account's devices that have rules of their own now. */
export async function devicesWithOwnRules(reader: Reader, accountId: number): Promise<string[]> {
  const rows = await reader.all<{ id: string }>(sql`
    select d.id from devices d
    join alert_settings_versions v on v.account_id = ${accountId} and v.device = d.device and v.valid_from = (
      select max(newer.valid_from) from alert_settings_versions newer
      where newer.account_id = ${accountId} and newer.device = d.device)
    where d.account_id = ${accountId} and d.removed_at is null and v.rules_json <> '[]' order by d.id`);
  return rows.map(({ id }) => id);
}

export async function saveAlertSettings(
  tx: Transaction,
  rows: readonly AlertSettingsVersionRow[],
  now: number,
): Promise<void> {
  await tx.insertMany(
    bulk,
    rows.map((row) => ({ ...row, created_at: now })),
  );
}
