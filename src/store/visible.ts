import type { Visibility } from "../domain/visibility.ts";
import type { Engine } from "./database.ts";
import { nothing, type Sql, sql } from "./sql.ts";

/**
 * The condition that limits a query to what the viewer may see, for `devices d`. Every query that answers a customer has
 * it, so rows of others are not even read.
 */
export function isVisible(visibility: Visibility): Sql {
  const { accountId, userId } = visibility;
  switch (visibility.sees) {
    case "account":
      return sql`d.account_id = ${accountId}`;
    case "assigned":
      return sql`d.account_id = ${accountId} and exists (
        select 1 from assignments a where a.account_id = ${accountId} and a.user_id = ${userId} and a.device = d.device)`;
  }
}

/** Says of one device which it is: by its public id or its IMEI. */
type DeviceName = { readonly id: string } | { readonly imei: string };

/**
 * The one device of this name, if the viewer sees it. A sub-account's is looked up among its assignments, in the same one
 * step whether the account has such a device or not: the time that the answer takes must not say.
 */
export function deviceInSight(visibility: Visibility, name: DeviceName): DeviceInSight {
  const { accountId, userId } = visibility;
  switch (visibility.sees) {
    case "account": {
      const isNamed = "id" in name ? sql`d.id = ${name.id}` : sql`d.imei = ${name.imei}`;
      return { tables: devices, condition: sql`d.account_id = ${accountId} and ${isNamed}` };
    }
    case "assigned": {
      const isNamed = "id" in name ? sql`a.id = ${name.id}` : sql`a.imei = ${name.imei}`;
      const condition = sql`a.account_id = ${accountId} and a.user_id = ${userId} and ${isNamed}
        and d.account_id = ${accountId} and d.device = a.device`;
      return { tables: assignedDevices, condition };
    }
  }
}

/** The beginning of a query: `from ${tables} … where ${condition}`. */
export interface DeviceInSight {
  /** With `devices d` in it. */
  readonly tables: Sql;
  readonly condition: Sql;
}

/** The same for all devices in sight: `… order by ${id}`. */
export interface DevicesInSight extends DeviceInSight {
  /** The public id, from the table that is walked in its order. */
  readonly id: Sql;
}

/**
 * All devices that the viewer sees, or the one asked for if it is among them. A sub-account's are reached from its
 * assignments, so that they cost the same however large the account is.
 *
 * `cross join` is an inner join that SQLite takes in the order written. It would otherwise have to guess which table is
 * the small one; PostgreSQL knows, and makes no difference between the two.
 */
export function devicesInSight(visibility: Visibility, device: number | null): DevicesInSight {
  const { accountId, userId } = visibility;
  switch (visibility.sees) {
    case "account": {
      const one = device === null ? nothing : sql`and d.device = ${device}`;
      return { tables: devices, condition: sql`d.account_id = ${accountId} ${one}`, id: idOfDevice };
    }
    case "assigned": {
      const one = device === null ? nothing : sql`and a.device = ${device}`;
      const condition = sql`a.account_id = ${accountId} and a.user_id = ${userId} ${one}
        and d.account_id = ${accountId} and d.device = a.device`;
      return { tables: assignedDevices, condition, id: idOfAssignment };
    }
  }
}

/**
 * Joins what each device `d` has in a table, called `r`: `from ${tables} ${ofEachDevice(…)}`. Both engines go from device
 * to device. PostgreSQL would otherwise guess, and may compare every device with every row of the account; `lateral` leaves
 * it no choice, and `first` (an order, a limit) is what it needs to read of each. SQLite has no `lateral`, and takes the
 * tables in the order written.
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
