import type { Visibility } from "../domain/visibility.ts";
import type { TimePage } from "./pages.ts";
import { nothing, type Sql, sql } from "./sql.ts";
import { devicesInSight } from "./visible.ts";

/** A table in which each row tells of a device at a moment. In these pieces it is called `r`. */
export interface TimedTable {
  readonly name: Sql;
  readonly time: Sql;
  /** The order of the list: the time, then whatever tells rows of the same time apart. */
  readonly key: Sql;
  readonly columns: Sql;
  /** Joins that the columns need. */
  readonly joins?: Sql;
}

export interface TimedPage extends Omit<TimePage<{ readonly at: number }>, "device"> {
  /** The values of the key after which the page begins, where there is a page before it. */
  readonly afterKey: Sql | null;
  /** What else has to hold of `r`: `and …`. */
  readonly conditions: Sql;
}

/**
 * A page of what the viewer sees, in ascending time: the table's columns, and `device_id` and `imei`. It reads nothing
 * that it does not show, but for the ends of a merge.
 */
export function timedRows(table: TimedTable, visibility: Visibility, device: number | null, page: TimedPage): Sql {
  if (device !== null) return rowsOfDevice(table, visibility, device, page);
  switch (visibility.sees) {
    case "account":
      return rowsOfAccount(table, visibility, page);
    case "assigned":
      return rowsOfAssigned(table, visibility, page);
  }
}

/** Walks the account's index in time order. */
function rowsOfAccount(table: TimedTable, { accountId }: Visibility, page: TimedPage): Sql {
  return sql`
    select ${table.columns}, d.id as device_id, d.imei
    from ${table.name} r ${table.joins ?? nothing} cross join devices d
    where r.account_id = ${accountId} and ${fromStart(table, page)} and ${table.time} < ${page.toMs} ${page.conditions}
      and d.account_id = ${accountId} and d.device = r.device
    order by ${table.key} limit ${page.count}`;
}

/** Walks the device's own range. */
function rowsOfDevice(table: TimedTable, visibility: Visibility, device: number, page: TimedPage): Sql {
  const { tables, condition } = devicesInSight(visibility, device);
  return sql`
    select ${table.columns}, d.id as device_id, d.imei
    from ${tables} cross join ${table.name} r ${table.joins ?? nothing}
    where ${condition} and r.account_id = ${visibility.accountId} and r.device = d.device
      and ${fromStart(table, page)} and ${table.time} < ${page.toMs} ${page.conditions}
    order by ${table.key} limit ${page.count}`;
}

/**
 * Merges the ranges of the sub-account's devices and reads nothing of the others, however many there are. Each range is
 * read only up to the moment by which one device alone fills the page: nothing later can be on it. Without that bound
 * every page would read and sort the rest of the window.
 *
 * PostgreSQL cannot know how near that bound is. Given `r.device = d.device` it may hash the devices and read all of the
 * account's window; given the same as a list, which cannot be hashed, it goes from each device to its range.
 */
function rowsOfAssigned(table: TimedTable, visibility: Visibility, page: TimedPage): Sql {
  const { accountId } = visibility;
  const { tables, condition } = devicesInSight(visibility, null);
  return sql`
    with sight as materialized (
      select device, id, imei, coalesce(min(filled_at) over () + 1, ${page.toMs}) as until from (
        select d.device, d.id, d.imei, (
          select ${table.time} from ${table.name} r
          where r.account_id = ${accountId} and r.device = d.device
            and ${fromStart(table, page)} and ${table.time} < ${page.toMs} ${page.conditions}
          order by ${table.key} limit 1 offset ${page.count - 1}) as filled_at
        from ${tables} where ${condition}) each)
    select ${table.columns}, d.id as device_id, d.imei
    from sight d cross join ${table.name} r ${table.joins ?? nothing}
    where r.account_id = ${accountId} and r.device in (d.device, -1)
      and ${fromStart(table, page)} and ${table.time} < d.until ${page.conditions}
    order by ${table.key} limit ${page.count}`;
}

/** One lower bound only, or SQLite might seek by the wrong one: those of the last line begin at the same moment. */
function fromStart({ time, key }: TimedTable, { after, afterKey, fromMs }: TimedPage): Sql {
  if (after === null || afterKey === null || after.at < fromMs) return sql`${time} >= ${fromMs}`;
  // PostgreSQL leaves out partitions by the time, and not by the key.
  return sql`${time} >= ${after.at} and (${key}) > (${afterKey})`;
}
