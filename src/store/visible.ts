import type { LinkVisibility, Visibility } from "../domain/visibility.ts";
import type { Engine } from "./database.ts";
import type { KnownDevices } from "./pages.ts";
import { listOf, nothing, plainSql, type Sql, sql } from "./sql.ts";

/**
 * The condition that limits a query to what the viewer may see, for `devices d`. Every query that answers a customer has
 * it, so rows of others are not even read. Nobody sees what was removed; no sub-account has an assignment of it.
 */
export function isVisible(visibility: Visibility): Sql {
  const { accountId, userId } = visibility;
  switch (visibility.sees) {
    case "account":
      return sql`d.account_id = ${accountId} and ${isNotRemoved} ${andTag(visibility)}`;
    case "assigned":
      return sql`d.account_id = ${accountId} and exists (
        select 1 from assignments a where a.account_id = ${accountId} and a.user_id = ${userId} and a.device = d.device)
        ${andTag(visibility)}`;
    case "shared":
      return sql`${isVisible(visibility.maker)} ${andShared(visibility)}`;
  }
}

/**
 * The same for rows `r` of a table of the account, left joined with `devices d`. Single values, so that PostgreSQL makes no join
 * of them, which it might begin with. `among`: those with its tag, and no others.
 */
export function andRowIsVisible(visibility: Visibility, among?: KnownDevices): Sql {
  const { accountId, tag } = visibility;
  const hasTag =
    tag === undefined || among !== undefined
      ? nothing
      : sql`and coalesce(d.account_id = ${accountId} ${andTag(visibility)}, false)`;
  return sql`${among === undefined ? nothing : andRowIsAmong(among)} ${andRowIsOfViewer(visibility)} ${hasTag}`;
}

/**
 * As a value, so that neither engine begins with these devices. To make a set of two thousand takes SQLite as long as skipping ten
 * thousand rows; to read a byte takes no longer than to look into the set.
 */
export function andRowIsAmong({ table, marks }: KnownDevices): Sql {
  if (marks === null) return sql`and case when r.device in ${table} then true else false end`;
  const { first, bytes } = marks;
  return sql`and case when r.device < ${first} then false else substr(${bytes}, r.device - ${first - 1}, 1) = x'01' end`;
}

function andRowIsOfViewer(visibility: Visibility): Sql {
  const { accountId, userId } = visibility;
  switch (visibility.sees) {
    case "account":
      return nothing;
    case "assigned":
      return sql`and (select a.device from assignments a
        where a.account_id = ${accountId} and a.device = r.device and a.user_id = ${userId}) is not null`;
    case "shared":
      return sql`${andRowIsVisible(visibility.maker)} and r.device in ${listOf(visibility.devices)}`;
  }
}

/** Whether the viewer sees every device of the account, so that its rows need not be searched device by device. */
export function seesAll({ sees, tag }: Visibility): boolean {
  return sees === "account" && tag === undefined;
}

/** Of what the maker of a link sees, what the link shows. */
function andShared(visibility: LinkVisibility): Sql {
  return sql`and d.device in ${listOf(visibility.devices)} ${andTag(visibility)}`;
}

/** Characters that the JSON of tags never has as such: they stand for a backslash and a quote within a tag. */
const [backslash, quote] = ["\u0001", "\u0002"];

/**
 * Whether device `d` has the tag of the visibility, if it has one. Both engines look for the tag in the JSON of the device's
 * tags: first anywhere, which is quick and rules most devices out, then between the separators. Quotes within a tag are
 * replaced before that, so that those left are its ends.
 */
function andTag({ tag }: Visibility): Sql {
  if (tag === undefined) return nothing;
  const json = JSON.stringify(tag);
  const written = json.slice(1, -1).replaceAll("\\\\", backslash).replaceAll('\\"', quote);
  const tags = sql`replace(replace(d.tags_json, ${"\\\\"}, ${backslash}), ${'\\"'}, ${quote})`;
  const separated = sql`('",' || substr(${tags}, 2, length(${tags}) - 2) || ',"')`;
  return sql`and replace(d.tags_json, ${json}, '') <> d.tags_json
    and replace(${separated}, ${`","${written}","`}, '') <> ${separated}`;
}

/** For a device `d` that a row may lack: also true without one. */
export const isNotRemoved = plainSql("d.removed_at is null");

export type DeviceName = { readonly id: string } | { readonly imei: string };

/**
 * The one device of this name, if the viewer sees it. A sub-account's is looked up among its assignments, in the same
 * single step whether the account has such a device or not: the time of the answer must not reveal it.
 */
export function deviceInSight(visibility: Visibility, name: DeviceName): DeviceInSight {
  const { accountId, userId } = visibility;
  switch (visibility.sees) {
    case "account": {
      const isNamed = "id" in name ? sql`d.id = ${name.id}` : sql`d.imei = ${name.imei}`;
      return { tables: devices, condition: sql`d.account_id = ${accountId} and ${isNamed} and ${isNotRemoved}` };
    }
    case "assigned": {
      const isNamed = "id" in name ? sql`a.id = ${name.id}` : sql`a.imei = ${name.imei}`;
      const condition = sql`a.account_id = ${accountId} and a.user_id = ${userId} and ${isNamed}
        and d.account_id = ${accountId} and d.device = a.device`;
      return { tables: assignedDevices, condition };
    }
    case "shared": {
      const { tables, condition } = deviceInSight(visibility.maker, name);
      return { tables, condition: sql`${condition} ${andShared(visibility)}` };
    }
  }
}

/** For a query: `from ${tables} … where ${condition}`. */
export interface DeviceInSight {
  /** Includes `devices d`. */
  readonly tables: Sql;
  readonly condition: Sql;
}

/** The same for all devices in sight: `… order by ${id}`. */
export interface DevicesInSight extends DeviceInSight {
  /** The public id, from the table that is walked in its order. */
  readonly id: Sql;
}

/**
 * All devices that the viewer sees, or the one requested if it is among them. A sub-account's are reached from its
 * assignments, so the cost does not depend on the size of the account. `among`: a table of those with
 * its tag, and of no others.
 *
 * `cross join` is an inner join that SQLite runs in the order written. Otherwise it would have to guess which table is
 * the smaller; PostgreSQL knows, and treats both joins alike.
 */
export function devicesInSight(visibility: Visibility, device: number | null, among?: Sql): DevicesInSight {
  const { accountId, userId } = visibility;
  const from = among === undefined ? nothing : sql`${among} w cross join`;
  const tagged = among === undefined ? andTag(visibility) : nothing;
  switch (visibility.sees) {
    case "account": {
      const one = device === null ? nothing : sql`and d.device = ${device}`;
      const known = among === undefined ? nothing : sql`and d.device = w.device`;
      return {
        tables: sql`${from} ${devices}`,
        condition: sql`d.account_id = ${accountId} ${one} ${known} and ${isNotRemoved} ${tagged}`,
        id: idOfDevice,
      };
    }
    case "assigned": {
      const one = device === null ? nothing : sql`and a.device = ${device}`;
      const known = among === undefined ? nothing : sql`and a.device = w.device`;
      const condition = sql`a.account_id = ${accountId} and a.user_id = ${userId} ${one} ${known}
        and d.account_id = ${accountId} and d.device = a.device ${tagged}`;
      return { tables: sql`${from} ${assignedDevices}`, condition, id: idOfAssignment };
    }
    case "shared": {
      const ofMaker = devicesInSight(visibility.maker, device, among);
      return { ...ofMaker, condition: sql`${ofMaker.condition} ${andShared(visibility)}` };
    }
  }
}

/**
 * Joins each device `d` with its rows in a table, aliased `r`: `from ${tables} ${ofEachDevice(…)}`. Both engines go
 * from device to device. PostgreSQL would otherwise guess, and might compare every device with every row of the
 * account; `lateral` leaves it no choice, and `first` (an order, a limit) bounds what it reads of each. SQLite has no
 * `lateral`, and joins in the order written.
 */
export function ofEachDevice(engine: Engine, table: Sql, condition: Sql, first: Sql): Sql {
  return engine === "postgres"
    ? sql`cross join lateral (select * from ${table} r where ${condition} ${first}) r`
    : sql`cross join ${table} r on ${condition}`;
}

const devices = sql`devices d`;
const assignedDevices = sql`assignments a cross join devices d`;
const idOfDevice = sql`d.id`;
const idOfAssignment = sql`a.id`;
