import type { FenceShape } from "../../domain/geometry/fence-shape.ts";
import type { RowOf } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { listOf, sql } from "../sql.ts";
import { listed, omit, stamped, upsert } from "../table.ts";
import { geofenceMemberTable, geofenceTable, geofenceVersionTable, isOfNewestVersion } from "./geofences.ts";

const loaded = omit(geofenceTable.columns, "created_at", "updated_at");
const loadedVersion = omit(geofenceVersionTable.columns, "created_at");

export type GeofenceRow = RowOf<typeof loaded>;
/** What a line of the fleet file says: whatever has a line is not removed. */
export type SavedGeofence = Omit<GeofenceRow, "removed_at">;
export type GeofenceVersionRow = RowOf<typeof loadedVersion>;
export type GeofenceMember = RowOf<typeof geofenceMemberTable.columns>;

const geofenceColumns = listed(loaded);
const versionColumns = listed(loadedVersion);
const memberColumns = listed(geofenceMemberTable.columns);
const insertFences = upsert(geofenceTable, ["created_at"]);
const insertVersions = upsert(geofenceVersionTable);

export function fenceShape({
  shape,
  geometry_json,
  radius_m,
  width_m,
}: Pick<GeofenceVersionRow, "shape" | "geometry_json" | "radius_m" | "width_m">): FenceShape {
  return { shape, geometry: JSON.parse(geometry_json), radiusM: radius_m, widthM: width_m } as FenceShape;
}

export function geofencesById(reader: Reader, ids: Iterable<string>): Promise<GeofenceRow[]> {
  return reader.all(sql`select ${geofenceColumns} from geofences where id in ${listOf(ids)}`);
}

/** The fences of an account, all or those named. Not those that were removed. */
export function geofencesOfAccount(
  reader: Reader,
  accountId: number,
  ids: Iterable<string> | null,
): Promise<GeofenceRow[]> {
  const all = sql`select ${geofenceColumns} from geofences where account_id = ${accountId} and removed_at is null`;
  if (ids === null) return reader.all(sql`${all} order by id`);
  return reader.all(sql`${all} and id in ${listOf(ids)}`);
}

/** All versions of the fences named, each fence's in ascending time. */
export function geofenceVersions(
  reader: Reader,
  accountId: number,
  ids: Iterable<string>,
): Promise<GeofenceVersionRow[]> {
  return reader.all(sql`
    select ${versionColumns} from geofence_versions
    where account_id = ${accountId} and geofence_id in ${listOf(ids)} order by geofence_id, valid_from`);
}

export function geofenceMembers(reader: Reader, accountId: number, ids: Iterable<string>): Promise<GeofenceMember[]> {
  return reader.all(sql`
    select ${memberColumns} from geofence_assignments where account_id = ${accountId} and geofence_id in ${listOf(ids)}`);
}

export function fencesOfDevices(
  reader: Reader,
  accountId: number,
  devices: Iterable<number>,
): Promise<Pick<GeofenceMember, "device" | "geofence_id">[]> {
  return reader.all(sql`
    select m.device, m.geofence_id from geofence_assignments m
    where m.account_id = ${accountId} and m.device in ${listOf(devices)} and ${isOfNewestVersion(accountId)}`);
}

export async function saveGeofences(tx: Transaction, rows: readonly SavedGeofence[], now: number): Promise<void> {
  const seen = rows.map((row) => ({ ...row, removed_at: null }));
  await tx.insertMany(insertFences, stamped(seen, now));
}

/** Nobody sees it any more. Its versions stay, so that its past can be derived again. */
export async function hideGeofence(tx: Transaction, accountId: number, id: string, now: number): Promise<void> {
  await tx.write(sql`update geofences set removed_at = ${now} where account_id = ${accountId} and id = ${id}`);
}

export async function unhideGeofence(tx: Transaction, accountId: number, id: string, now: number): Promise<void> {
  await tx.write(sql`
    update geofences set removed_at = null, updated_at = ${now} where account_id = ${accountId} and id = ${id}`);
}

/** Since when the fence is hidden; null if it is not, or if there is none. */
export function removedGeofence(
  reader: Reader,
  accountId: number,
  id: string,
): Promise<{ readonly removed_at: number } | null> {
  return reader.get(sql`
    select removed_at from geofences where account_id = ${accountId} and id = ${id} and removed_at is not null`);
}

/** Stores a version with its devices; replaces one of the same fence and moment. */
export async function saveGeofenceVersion(
  tx: Transaction,
  version: GeofenceVersionRow,
  devices: readonly { readonly device: number; readonly assigned_at: number }[],
  now: number,
): Promise<void> {
  const { account_id, geofence_id, valid_from } = version;
  await tx.run(sql`
    delete from geofence_assignments
    where account_id = ${account_id} and geofence_id = ${geofence_id} and valid_from = ${valid_from}`);
  await tx.insertMany(insertVersions, stamped([version], now));
  await tx.insertMany(
    geofenceMemberTable,
    devices.map((member) => ({ account_id, geofence_id, valid_from, ...member })),
  );
}
