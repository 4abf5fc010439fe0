import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../database.ts";
import { listOf, nothing, sql } from "../sql.ts";
import { isVisible } from "../visible.ts";
import { visibleGeofenceIds } from "./geofences.ts";

type Ids = readonly string[];

/** Names by id. What the viewer may not see is not among them. */
export interface SeenNames {
  readonly devices: ReadonlyMap<string, { readonly name: string; readonly plate: string | null }>;
  readonly geofences: ReadonlyMap<string, { readonly name: string }>;
  readonly users: ReadonlyMap<string, { readonly name: string }>;
}

/** The names of these, as they are now. */
export async function namesInSight(
  reader: Reader,
  visibility: Visibility,
  ids: { readonly devices: Ids; readonly geofences: Ids; readonly users: Ids },
): Promise<SeenNames> {
  const devices = reader.all<{ id: string; name: string; plate: string | null }>(sql`
    select d.id, d.name, d.plate from devices d where ${isVisible(visibility)} and d.id in ${listOf(ids.devices)}`);
  return {
    devices: byId(await devices),
    geofences: byId(await geofenceNames(reader, visibility, ids.geofences)),
    users: byId(await userNames(reader, visibility, ids.users)),
  };
}

async function geofenceNames(reader: Reader, visibility: Visibility, ids: Ids): Promise<NamedRow[]> {
  const seen = visibility.sees === "account" ? ids : await visibleGeofenceIds(reader, visibility, ids);
  return reader.all(sql`
    select id, name from geofences
    where account_id = ${visibility.accountId} and id in ${listOf(seen)} and removed_at is null`);
}

/** The owner may know everybody in the account, a sub-account only itself. */
function userNames(reader: Reader, { accountId, userId, sees }: Visibility, ids: Ids): Promise<NamedRow[]> {
  const self = sees === "account" ? nothing : sql`and id = ${userId}`;
  return reader.all(sql`
    select id, name from users
    where account_id = ${accountId} and id in ${listOf(ids)} ${self} and removed_at is null`);
}

interface NamedRow {
  readonly id: string;
  readonly name: string;
}

function byId<Row extends NamedRow>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
