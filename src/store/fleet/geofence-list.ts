import type { AlertRule } from "../../domain/fleet.ts";
import type { RowOf } from "../columns.ts";
import type { Reader } from "../database.ts";
import { listOf, type Sql, sql } from "../sql.ts";
import { listed, omit } from "../table.ts";
import { geofenceTable, geofenceVersionTable, isOfNewestVersion } from "./geofences.ts";
import { newest } from "./rule-versions.ts";

const fenceColumns = omit(geofenceTable.columns, "account_id", "created_at");
const shapeColumns = omit(geofenceVersionTable.columns, "account_id", "geofence_id", "created_at", "bbox_json");

export interface ManagedGeofenceRow extends RowOf<typeof fenceColumns>, RowOf<typeof shapeColumns> {
  /** How many devices its newest version has, without those that were removed. */
  readonly device_count: number;
}

/** Of a version `v`. Devices that were removed stay in a fence, but nobody sees them. */
function deviceCount(accountId: number): Sql {
  return sql`(
    select count(*) from geofence_assignments m join devices d on d.account_id = ${accountId} and d.device = m.device
    where m.account_id = ${accountId} and m.geofence_id = v.geofence_id and m.valid_from = v.valid_from
      and d.removed_at is null)`;
}

/** All fences of the account that are there, or all that were removed; with `id`, only that one, whether it is there or not. */
export function managedGeofences(
  reader: Reader,
  accountId: number,
  which: { readonly removed: boolean } | { readonly id: string },
): Promise<ManagedGeofenceRow[]> {
  const wanted =
    "id" in which ? sql`g.id = ${which.id}` : which.removed ? sql`g.removed_at is not null` : sql`g.removed_at is null`;
  return reader.all(sql`
    select ${listed(fenceColumns, "g")}, ${listed(shapeColumns, "v")}, ${deviceCount(accountId)} as device_count
    from geofences g join geofence_versions v on v.account_id = ${accountId} and v.geofence_id = g.id
    where g.account_id = ${accountId} and ${wanted} and v.valid_from = ${newest("geofence_versions", accountId, sql`g.id`)}
    order by g.id`);
}

export async function devicesOfVersion(
  reader: Reader,
  accountId: number,
  geofenceId: string,
  validFrom: number,
): Promise<string[]> {
  const rows = await reader.all<{ id: string }>(sql`
    select d.id from geofence_assignments m join devices d on d.account_id = ${accountId} and d.device = m.device
    where m.account_id = ${accountId} and m.geofence_id = ${geofenceId} and m.valid_from = ${validFrom}
      and d.removed_at is null
    order by d.id`);
  return rows.map(({ id }) => id);
}

/** The devices of these fences as they are now. */
export function devicesOfFences(
  reader: Reader,
  accountId: number,
  ids: Iterable<string>,
): Promise<{ readonly geofence_id: string; readonly device: number }[]> {
  return reader.all(sql`
    select m.geofence_id, m.device from geofence_assignments m
    where m.account_id = ${accountId} and m.geofence_id in ${listOf(ids)} and ${isOfNewestVersion(accountId)}`);
}

export interface VersionInList extends RowOf<typeof shapeColumns> {
  readonly device_count: number;
}

/** In ascending time. */
export function versionsOfGeofence(reader: Reader, accountId: number, geofenceId: string): Promise<VersionInList[]> {
  return reader.all(sql`
    select ${listed(shapeColumns, "v")}, ${deviceCount(accountId)} as device_count
    from geofence_versions v where v.account_id = ${accountId} and v.geofence_id = ${geofenceId}
    order by v.valid_from`);
}

/** The alert settings in force that name a fence: of a device, for a tag, or for all. */
export async function settingsNamingFence(
  reader: Reader,
  accountId: number,
  geofenceId: string,
): Promise<{ readonly id: string; readonly name: string | null }[]> {
  // The id is a UUID, so it means nothing to `like`; which rule has it is looked up afterwards.
  const mayName = sql`v.rules_json like ${`%${geofenceId}%`}`;
  const ofDevices = await reader.all<{ id: string; name: string; rules_json: string }>(sql`
    select d.id, d.name, v.rules_json from alert_settings_versions v
    join devices d on d.account_id = ${accountId} and d.device = v.device
    where v.account_id = ${accountId} and ${mayName} and d.removed_at is null
      and v.valid_from = ${newest("alert_settings_versions", accountId, sql`v.device`)}
    order by d.name, d.id`);
  const ofTags = await reader.all<{ tag: string; rules_json: string }>(sql`
    select v.tag, v.rules_json from rule_versions v
    where v.account_id = ${accountId} and ${mayName} and v.valid_from = ${newest("rule_versions", accountId, sql`v.tag`)}
    order by v.tag`);
  const isNamed = ({ rules_json }: { readonly rules_json: string }) =>
    (JSON.parse(rules_json) as AlertRule[]).some(({ geofenceIds }) => geofenceIds.includes(geofenceId));
  return [
    ...ofTags.filter(isNamed).map(({ tag }) => ({ id: tag === "" ? "all" : `tag:${tag}`, name: null })),
    ...ofDevices.filter(isNamed).map(({ id, name }) => ({ id, name })),
  ];
}

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
      and v.valid_from = ${newest("alert_settings_versions", accountId, sql`v.device`)}`);
}
