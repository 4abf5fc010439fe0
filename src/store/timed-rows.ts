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
 * A page of what the viewer sees, in ascending time: the table's columns, and `device_id` and `imei`.
 *
 * The owner's walks the index of the account in time order, a device's the device's own range. A sub-account's is merged
 * from the ranges of its devices and reads nothing of the others, however many there are.
 */
export function timedRows(table: TimedTable, visibility: Visibility, device: number | null, page: TimedPage): Sql {
  const { accountId } = visibility;
  const last = sql`order by ${table.key} limit ${page.count}`;
  if (device === null && visibility.sees === "account") {
    return sql`
      select ${table.columns}, d.id as device_id, d.imei
      from ${table.name} r ${table.joins ?? nothing} cross join devices d
      where r.account_id = ${accountId} and ${from(table, page)} and ${table.time} < ${page.toMs} ${page.conditions}
        and d.account_id = ${accountId} and d.device = r.device
      ${last}`;
  }
  const until = device === null ? endOfMergedPage(table, visibility, page) : sql`${page.toMs}`;
  const { tables, condition } = devicesInSight(visibility, device);
  return sql`
    select ${table.columns}, d.id as device_id, d.imei
    from ${tables} cross join ${table.name} r ${table.joins ?? nothing}
    where ${condition} and r.account_id = ${accountId} and r.device = d.device
      and ${from(table, page)} and ${table.time} < ${until} ${page.conditions}
    ${last}`;
}

/** One lower bound only, or SQLite might seek by the wrong one. Both of the last line begin at the same moment. */
function from({ time, key }: TimedTable, { after, afterKey, fromMs }: TimedPage): Sql {
  if (after === null || afterKey === null || after.at < fromMs) return sql`${time} >= ${fromMs}`;
  // PostgreSQL leaves out partitions by the time, and not by the key.
  return sql`${time} >= ${after.at} and (${key}) > (${afterKey})`;
}

/**
 * A moment by which some device alone fills the page: nothing later can be on it. Without this bound a sub-account's
 * every page would read and sort the rest of the window.
 */
function endOfMergedPage(table: TimedTable, visibility: Visibility, page: TimedPage): Sql {
  const { accountId, userId } = visibility;
  return sql`(
    select coalesce(min(filled.at) + 1, ${page.toMs}) from (
      select (
        select ${table.time} from ${table.name} r
        where r.account_id = ${accountId} and r.device = a.device
          and ${from(table, page)} and ${table.time} < ${page.toMs} ${page.conditions}
        order by ${table.key} limit 1 offset ${page.count - 1}) as at
      from assignments a where a.account_id = ${accountId} and a.user_id = ${userId}) filled)`;
}
