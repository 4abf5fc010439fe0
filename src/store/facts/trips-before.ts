import type { Reader } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { sql } from "../sql.ts";

/** What stops are made of where the frames are gone. */
export interface EndedTrip {
  readonly started_at: number;
  readonly ended_at: number;
  readonly end_latitude_e7: number;
  readonly end_longitude_e7: number;
  readonly updated_at: number;
  readonly final_at: number;
}

export interface CrossedFence {
  readonly geofence_id: string;
  readonly event_type: string;
  readonly occurred_at: number;
}

/** A device's trips that were final before a moment, in order. */
export function tripsFinalBefore(
  reader: Reader,
  { accountId, device }: DeviceKey,
  moment: number,
): Promise<EndedTrip[]> {
  return reader.all(sql`
    select started_at, ended_at, end_latitude_e7, end_longitude_e7, updated_at, final_at from trips
    where account_id = ${accountId} and device = ${device} and final_at < ${moment} and ended_at is not null
    order by started_at`);
}

/** Its crossings that were final before a moment, in order. */
export function crossingsFinalBefore(
  reader: Reader,
  { accountId, device }: DeviceKey,
  moment: number,
): Promise<CrossedFence[]> {
  return reader.all(sql`
    select geofence_id, event_type, occurred_at from geofence_events
    where account_id = ${accountId} and device = ${device} and final_at < ${moment}
    order by occurred_at, id`);
}

export async function hasStopsBefore(
  reader: Reader,
  { accountId, device }: DeviceKey,
  moment: number,
): Promise<boolean> {
  const row = await reader.get(sql`
    select 1 as there from stops
    where account_id = ${accountId} and device = ${device} and final_at < ${moment} limit 1`);
  return row !== null;
}
