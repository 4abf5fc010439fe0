import type { Reader } from "./database.ts";
import { sql } from "./sql.ts";

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
