import type { Reader, Transaction } from "../database.ts";
import { listOf, nothing, type Sql, sql } from "../sql.ts";
import { listed, omit } from "../table.ts";
import type { GeofenceMember, GeofenceVersionRow } from "./geofence-writes.ts";
import { geofenceVersionTable } from "./geofences.ts";

/** What the derivation needs to know of an account's fleet. */

/** As long as this number is unchanged, so is everything else here. Null: there is no such account. */
export function fleetRevision(reader: Reader, accountId: number): Promise<number | null> {
  return readRevision(reader, accountId, nothing);
}

/**
 * The same, locked until this transaction ends: a change of the fleet waits, and so finds all frames that were
 * derived with the old fleet. Others that only hold it do not wait. SQLite has one writer, who is alone anyway.
 */
export function holdFleetRevision(tx: Transaction, accountId: number): Promise<number | null> {
  return readRevision(tx, accountId, tx.engine === "sqlite" ? nothing : sql`for share`);
}

async function readRevision(reader: Reader, accountId: number, held: Sql): Promise<number | null> {
  const row = await reader.get<{ revision: number }>(sql`
    select revision from fleet_revisions where account_id = ${accountId} ${held}`);
  return row?.revision ?? null;
}

export async function growFleetRevision(tx: Transaction, accountIds: Iterable<number>): Promise<void> {
  for (const accountId of accountIds) {
    await tx.write(sql`update fleet_revisions set revision = revision + 1 where account_id = ${accountId}`);
  }
}

export interface TrackedDevice {
  readonly device: number;
  readonly id: string;
  readonly imei: string;
  readonly tracker_clock: string | null;
  readonly fuel_tank_capacity_l: number | null;
  readonly tags_json: string;
}

/** Also removed devices: they may be put back, and must be right then. Nothing is derived of one that is being erased. */
const tracked = sql`
  select device, id, imei, tracker_clock, fuel_tank_capacity_l, tags_json from devices where erasing_at is null`;

export function trackedDevices(reader: Reader, accountId: number, devices: Iterable<number>): Promise<TrackedDevice[]> {
  return reader.all(sql`${tracked} and account_id = ${accountId} and device in ${listOf(devices)}`);
}

export function trackedDevicesByImei(
  reader: Reader,
  accountId: number,
  imeis: Iterable<string>,
): Promise<TrackedDevice[]> {
  return reader.all(sql`${tracked} and account_id = ${accountId} and imei in ${listOf(imeis)}`);
}

const versionColumns = listed(omit(geofenceVersionTable.columns, "created_at"), "v");

/** All versions of all fences of the account, each fence's in ascending time. */
export function accountFenceVersions(
  reader: Reader,
  accountId: number,
): Promise<(GeofenceVersionRow & { readonly name: string })[]> {
  return reader.all(sql`
    select ${versionColumns}, f.name from geofence_versions v
    join geofences f on f.account_id = ${accountId} and f.id = v.geofence_id
    where v.account_id = ${accountId} order by v.geofence_id, v.valid_from`);
}

export function accountFenceMembers(
  reader: Reader,
  accountId: number,
): Promise<Pick<GeofenceMember, "geofence_id" | "valid_from" | "device">[]> {
  return reader.all(sql`
    select geofence_id, valid_from, device from geofence_assignments where account_id = ${accountId}`);
}
