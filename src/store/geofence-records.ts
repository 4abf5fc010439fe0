import type { FenceShape } from "../domain/geometry/fence-shape.ts";
import type { BulkTable, Reader, Transaction } from "./database.ts";
import { isOfNewestVersion } from "./geofences.ts";
import { allIn } from "./in-list.ts";
import { sql } from "./sql.ts";

export interface GeofenceRow {
  readonly account_id: number;
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly color: string | null;
}

export interface GeofenceVersionRow {
  readonly account_id: number;
  readonly geofence_id: string;
  readonly valid_from: number;
  readonly shape: "circle" | "polygon" | "corridor";
  readonly geometry_json: string;
  readonly radius_m: number | null;
  readonly width_m: number | null;
  readonly bbox_json: string;
}

/** Where a version is. The store holds what was checked when it was loaded. */
export function fenceShape({
  shape,
  geometry_json,
  radius_m,
  width_m,
}: Pick<GeofenceVersionRow, "shape" | "geometry_json" | "radius_m" | "width_m">): FenceShape {
  return { shape, geometry: JSON.parse(geometry_json), radiusM: radius_m, widthM: width_m } as FenceShape;
}

/** One device of one version. */
export interface GeofenceMember {
  readonly account_id: number;
  readonly geofence_id: string;
  readonly valid_from: number;
  readonly device: number;
  readonly assigned_at: number;
}

const fences: BulkTable = {
  name: "geofences",
  columns: {
    account_id: "bigint",
    id: "uuid",
    name: "text",
    description: "text",
    color: "text",
    created_at: "bigint",
    updated_at: "bigint",
  },
  onConflict: `on conflict (account_id, id) do update set name = excluded.name, description = excluded.description,
    color = excluded.color, updated_at = excluded.updated_at`,
};

const versions: BulkTable = {
  name: "geofence_versions",
  columns: {
    account_id: "bigint",
    geofence_id: "uuid",
    valid_from: "bigint",
    shape: "text",
    geometry_json: "text",
    radius_m: "double precision",
    width_m: "double precision",
    bbox_json: "text",
    created_at: "bigint",
  },
  onConflict: `on conflict (account_id, geofence_id, valid_from) do update set shape = excluded.shape,
    geometry_json = excluded.geometry_json, radius_m = excluded.radius_m, width_m = excluded.width_m,
    bbox_json = excluded.bbox_json, created_at = excluded.created_at`,
};

const members: BulkTable = {
  name: "geofence_assignments",
  columns: {
    account_id: "bigint",
    geofence_id: "uuid",
    valid_from: "bigint",
    device: "bigint",
    assigned_at: "bigint",
  },
};

export function geofencesById(reader: Reader, ids: Iterable<string>): Promise<GeofenceRow[]> {
  return allIn(
    reader,
    ids,
    (list) => sql`select account_id, id, name, description, color from geofences where id in ${list}`,
  );
}

/** All versions of the fences named, each fence's in ascending time. */
export function geofenceVersions(reader: Reader, ids: Iterable<string>): Promise<GeofenceVersionRow[]> {
  return allIn(
    reader,
    ids,
    (list) => sql`
      select account_id, geofence_id, valid_from, shape, geometry_json, radius_m, width_m, bbox_json
      from geofence_versions where geofence_id in ${list} order by geofence_id, valid_from`,
  );
}

export function geofenceMembers(reader: Reader, ids: Iterable<string>): Promise<GeofenceMember[]> {
  return allIn(
    reader,
    ids,
    (list) => sql`
      select account_id, geofence_id, valid_from, device, assigned_at
      from geofence_assignments where geofence_id in ${list}`,
  );
}

/** The fences that the devices named are assigned to now. */
export function fencesOfDevices(
  reader: Reader,
  devices: Iterable<number>,
): Promise<Pick<GeofenceMember, "device" | "geofence_id">[]> {
  return allIn(
    reader,
    devices,
    (list) => sql`
      select m.device, m.geofence_id
      from device_directory e
      join geofence_assignments m on m.account_id = e.account_id and m.device = e.device
      where e.device in ${list} and ${isOfNewestVersion}`,
  );
}

export async function saveGeofences(tx: Transaction, rows: readonly GeofenceRow[], now: number): Promise<void> {
  await tx.insertMany(
    fences,
    rows.map((row) => ({ ...row, created_at: now, updated_at: now })),
  );
}

/** Stores a version with its devices; one of the same fence and moment is replaced. */
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
  await tx.insertMany(versions, [{ ...version, created_at: now }]);
  await tx.insertMany(
    members,
    devices.map((member) => ({ account_id, geofence_id, valid_from, ...member })),
  );
}
