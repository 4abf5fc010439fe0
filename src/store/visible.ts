import type { Visibility } from "../domain/visibility.ts";
import { nothing, type Sql, sql } from "./sql.ts";

/**
 * The condition that keeps a query within what the viewer may see, for `devices d`. It stands in every query that
 * answers a customer, so that what is foreign is never even read.
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

/** The devices in sight as the beginning of a query: `from ${tables} … where ${condition} … order by ${id}`. */
export interface DevicesInSight {
  /** With `devices d` in it. */
  readonly tables: Sql;
  readonly condition: Sql;
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

const devices = sql`devices d`;
const assignedDevices = sql`assignments a cross join devices d`;
const idOfDevice = sql`d.id`;
const idOfAssignment = sql`a.id`;
