import type { Reader } from "../database.ts";
import { sql } from "../sql.ts";

/** What others may still refer to although it was removed: versions of fences name devices, and rules name fences. */

export async function removedDeviceNumbers(reader: Reader, accountId: number): Promise<ReadonlySet<number>> {
  const rows = await reader.all<{ device: number }>(sql`
    select device from devices where account_id = ${accountId} and removed_at is not null`);
  return new Set(rows.map(({ device }) => device));
}

export async function removedGeofenceIds(reader: Reader, accountId: number): Promise<ReadonlySet<string>> {
  const rows = await reader.all<{ id: string }>(sql`
    select id from geofences where account_id = ${accountId} and removed_at is not null`);
  return new Set(rows.map(({ id }) => id));
}

/** The newest settings of removed devices that name a fence. */
export async function rulesOfRemovedDevices(
  reader: Reader,
  accountId: number,
  geofenceId: string,
): Promise<{ readonly device: number; readonly valid_from: number; readonly rules_json: string }[]> {
  // The id is a UUID, so it means nothing to `like`.
  return reader.all(sql`
    select v.device, v.valid_from, v.rules_json from alert_settings_versions v
    join devices d on d.account_id = ${accountId} and d.device = v.device
    where v.account_id = ${accountId} and d.removed_at is not null and v.rules_json like ${`%${geofenceId}%`}
      and v.valid_from = (
        select max(newer.valid_from) from alert_settings_versions newer
        where newer.account_id = ${accountId} and newer.device = v.device)`);
}
