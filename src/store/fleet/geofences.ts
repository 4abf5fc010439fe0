import type { FenceShape } from "../../domain/geometry/fence-shape.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { bigint, double, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader } from "../database.ts";
import type { IdPage } from "../pages.ts";
import { limitTo, listOf, nothing, type Sql, sql } from "../sql.ts";
import { listed, omit, table } from "../table.ts";
import { devicesInSight } from "../visible.ts";
import { newest } from "./rule-versions.ts";

export const geofenceTable = table("geofences", ["account_id", "id"], {
  account_id: bigint,
  id: uuid,
  name: text,
  description: orNull(text),
  color: orNull(text),
  created_at: bigint,
  updated_at: bigint,
  /** Since when nobody sees it any more. Its past stays. */
  removed_at: orNull(bigint),
});

/** A fence from a moment on, until its next version. */
export const geofenceVersionTable = table("geofence_versions", ["account_id", "geofence_id", "valid_from"], {
  account_id: bigint,
  geofence_id: uuid,
  valid_from: bigint,
  shape: oneOf<FenceShape["shape"]>(),
  geometry_json: text,
  radius_m: orNull(double),
  width_m: orNull(double),
  bbox_json: text,
  created_at: bigint,
});

export const geofenceMemberTable = table(
  "geofence_assignments",
  ["account_id", "geofence_id", "valid_from", "device"],
  {
    account_id: bigint,
    geofence_id: uuid,
    valid_from: bigint,
    device: bigint,
    assigned_at: bigint,
  },
);

const ownColumns = omit(geofenceTable.columns, "account_id", "removed_at");
const shapeColumns = omit(geofenceVersionTable.columns, "account_id", "geofence_id", "valid_from", "created_at");
const columns = sql`${listed(ownColumns, "g")}, ${listed(shapeColumns, "v")}`;

export interface VisibleGeofenceRow extends RowOf<typeof ownColumns>, RowOf<typeof shapeColumns> {}

export interface AssignedGeofenceRow extends VisibleGeofenceRow {
  readonly assigned_at: number;
  /** Whether the device's live position is inside, as the fold left it; null while there is no position. */
  readonly inside: number | boolean | null;
}

/** In ascending id. A sub-account sees those that have one of its devices. */
export function geofences(reader: Reader, visibility: Visibility, page: IdPage): Promise<VisibleGeofenceRow[]> {
  return geofencesInSight(reader, visibility, page, columns);
}

/** The ids alone: the outlines may be large. */
export async function geofenceIds(reader: Reader, visibility: Visibility, page: IdPage): Promise<string[]> {
  const rows = await geofencesInSight<Pick<VisibleGeofenceRow, "id">>(reader, visibility, page, sql`g.id`);
  return rows.map(({ id }) => id);
}

async function geofencesInSight<Row>(
  reader: Reader,
  visibility: Visibility,
  page: IdPage,
  columns: Sql,
): Promise<Row[]> {
  switch (visibility.sees) {
    case "account":
      return reader.all(geofencesOfAccount(visibility, page, nothing, columns));
    case "assigned":
      if (reader.engine === "sqlite" && (await reader.get(hasManyPlaces(visibility))) !== null) {
        return reader.all(geofencesOfAccount(visibility, page, hasDeviceOf(visibility), columns));
      }
      return reader.all(geofencesOfAssigned(visibility, page, columns));
    case "shared":
      return [];
  }
}

export function visibleGeofence(
  reader: Reader,
  visibility: Visibility,
  id: string,
): Promise<VisibleGeofenceRow | null> {
  const inSight = visibility.sees === "account" ? nothing : hasDeviceOf(visibility);
  return reader.get(
    geofencesOfAccount(visibility, { after: null, count: 1 }, sql`and g.id = ${id} ${inSight}`, columns),
  );
}

/**
 * Whether the sub-account's devices are assigned to so many fences that collecting these takes longer than searching
 * each fence for one of its devices: with so many, the first device checked is mostly one of them.
 */
function hasManyPlaces({ accountId, userId }: Visibility): Sql {
  return sql`
    select 1 as there from assignments a cross join geofence_assignments m
    where a.account_id = ${accountId} and a.user_id = ${userId} and m.account_id = ${accountId} and m.device = a.device
    limit 1 offset ${manyPlaces}`;
}

const manyPlaces = 20_000;

function hasDeviceOf({ accountId, userId }: Visibility): Sql {
  return sql`and exists (
    select 1 from geofence_assignments m cross join assignments a
    where m.account_id = ${accountId} and m.geofence_id = g.id and m.valid_from = v.valid_from
      and a.account_id = ${accountId} and a.device = m.device and a.user_id = ${userId})`;
}

function geofencesOfAccount({ accountId }: Visibility, { after, count }: IdPage, condition: Sql, columns: Sql): Sql {
  return sql`
    select ${columns} from geofences g cross join geofence_versions v
    where g.account_id = ${accountId} ${after === null ? nothing : sql`and g.id > ${after}`} and g.removed_at is null
      and v.account_id = ${accountId} and v.geofence_id = g.id
        and v.valid_from = ${newest("geofence_versions", accountId, sql`g.id`)} ${condition}
    order by g.id ${limitTo(count)}`;
}

/**
 * A fence that was removed has no devices since, so it is not in sight here.
 *
 * Starts from the sub-account's devices, so that the account's other fences cost nothing. The newest version is looked
 * up once per fence, not for each device in it: that would take a hundred times as long.
 */
function geofencesOfAssigned({ accountId, userId }: Visibility, { after, count }: IdPage, columns: Sql): Sql {
  return sql`
    with sight as materialized (
      select distinct m.geofence_id, m.valid_from from assignments a cross join geofence_assignments m
      where a.account_id = ${accountId} and a.user_id = ${userId} and m.account_id = ${accountId}
        and m.device = a.device ${after === null ? nothing : sql`and m.geofence_id > ${after}`})
    select ${columns} from sight s cross join geofences g cross join geofence_versions v
    where g.account_id = ${accountId} and g.id = s.geofence_id
      and v.account_id = ${accountId} and v.geofence_id = s.geofence_id and v.valid_from = s.valid_from
      and s.valid_from = ${newest("geofence_versions", accountId, sql`s.geofence_id`)}
    order by s.geofence_id ${limitTo(count)}`;
}

/** For a device `m` of a fence's version. */
export function isOfNewestVersion(accountId: number): Sql {
  return sql`m.valid_from = ${newest("geofence_versions", accountId, sql`m.geofence_id`)}`;
}

/** Those of the fences named that the sub-account sees. */
export async function visibleGeofenceIds(
  reader: Reader,
  { accountId, userId }: Visibility,
  ids: Iterable<string>,
): Promise<string[]> {
  const rows = await reader.all<{ id: string }>(sql`
    select distinct m.geofence_id as id from geofence_assignments m
    where m.account_id = ${accountId} and m.geofence_id in ${listOf(ids)} and ${isOfNewestVersion(accountId)} and exists (
      select 1 from assignments a
      where a.account_id = ${accountId} and a.user_id = ${userId} and a.device = m.device)`);
  return rows.map(({ id }) => id);
}

/** The fences that each of these sub-accounts sees; with `among`, only those of them. */
export async function geofencesOfUsers(
  reader: Reader,
  accountId: number,
  userIds: Iterable<string>,
  among: Iterable<string> | null,
): Promise<{ readonly user_id: string; readonly id: string }[]> {
  const seen = (users: Sql, fences: Sql) => sql`
    select distinct a.user_id, m.geofence_id as id from assignments a cross join geofence_assignments m
    where a.account_id = ${accountId} and a.user_id in ${users}
      and m.account_id = ${accountId} and m.device = a.device ${fences} and ${isOfNewestVersion(accountId)}`;
  if (among === null) return reader.all(seen(listOf(userIds), nothing));
  const found: { user_id: string; id: string }[] = [];
  for (const userId of userIds) {
    const rows = await reader.all<{ user_id: string; id: string }>(
      seen(sql`(${userId})`, sql`and m.geofence_id in ${listOf(among)}`),
    );
    found.push(...rows);
  }
  return found;
}

/** The fences that the device is assigned to, in ascending id: up to `count` after the one named. */
export async function deviceGeofences(
  reader: Reader,
  visibility: Visibility,
  device: number,
  { after, count }: IdPage = allOfThem,
): Promise<AssignedGeofenceRow[]> {
  const { tables, condition } = devicesInSight(visibility, device);
  const { accountId } = visibility;
  const rows = await reader.all<AssignedRow>(sql`
    select ${columns}, m.assigned_at, p.recorded_at as position_at, p.geofence_ids_json as inside_json
    from ${tables} left join latest_positions p on p.account_id = ${accountId} and p.device = d.device
    cross join geofence_assignments m cross join geofences g cross join geofence_versions v
    where ${condition}
      and m.account_id = ${accountId} and m.device = d.device
      ${after === null ? nothing : sql`and m.geofence_id > ${after}`} and ${isOfNewestVersion(accountId)}
      and g.account_id = ${accountId} and g.id = m.geofence_id
      and v.account_id = ${accountId} and v.geofence_id = m.geofence_id and v.valid_from = m.valid_from
    order by m.geofence_id ${limitTo(count)}`);
  // All rows are of one device, so each has the same fences inside.
  const insideIds = new Set<string>(JSON.parse(rows[0]?.inside_json ?? "[]"));
  return rows.map(({ position_at, inside_json, ...row }) => ({
    ...row,
    inside: position_at === null ? null : insideIds.has(row.id),
  }));
}

const allOfThem: IdPage = { after: null, count: 1_000_000 };

interface AssignedRow extends Omit<AssignedGeofenceRow, "inside"> {
  readonly position_at: number | null;
  readonly inside_json: string | null;
}
