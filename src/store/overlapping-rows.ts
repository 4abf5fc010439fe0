import type { Visibility } from "../domain/visibility.ts";
import type { Engine, Reader } from "./database.ts";
import type { TimeKey, TimePage } from "./pages.ts";
import { limitTo, nothing, plainSql, type Sql, sql } from "./sql.ts";
import { pageById, type TimedPage, type TimedTable, timedRows } from "./timed-rows.ts";
import { devicesInSight, seesAll } from "./visible.ts";

/** What lasts from `started_at` to `ended_at`, null while it goes on. Those of one device never overlap. */
export interface LastingTable extends TimedTable {
  /** See `lengthClassesOf`. */
  readonly lengths: LengthClasses;
}

interface LengthClasses {
  /** The class of a row: must be the expression of the index by length, or the index is not used. */
  readonly classOfRow: Sql;
  /** How long the rows of each class last at most. */
  readonly belowMs: readonly number[];
}

const hourMs = 3_600_000;

/**
 * Rows in classes by how long they last, so that each class is searched only as far back as its rows can reach. The last two
 * have no bound: the few that took longer than all of `hours`, and those in progress, of which there is one a device.
 */
export function lengthClassesOf(hours: readonly number[]): LengthClasses {
  const bounds = hours.map((hour) => hour * hourMs);
  const cases = bounds.map((bound, index) => `when r.ended_at - r.started_at < ${bound} then ${index}`);
  const inProgress = `when r.ended_at is null then ${bounds.length + 1}`;
  const classOfRow = plainSql(`case ${inProgress} ${cases.join(" ")} else ${bounds.length} end`);
  return { classOfRow, belowMs: [...bounds, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] };
}

/** The rows that overlap the window, in ascending start. The first ones may have started before it. */
export function overlappingRows<Row>(
  reader: Reader,
  table: LastingTable,
  visibility: Visibility,
  page: TimePage<TimeKey>,
  conditions: Sql = nothing,
): Promise<Row[]> {
  const { after, device } = page;
  const timed = pageById(page, conditions);
  const startedWithin = timedRows(reader.engine, table, visibility, device, timed);
  if (after !== null && after.at >= page.fromMs) return reader.all(startedWithin);
  const all = [...startedBefore(reader.engine, table, visibility, device, timed), startedWithin];
  return inOrder(reader, all, page.count);
}

/** Of these, those that started before the window. */
export function rowsUnderWay<Row>(
  reader: Reader,
  table: LastingTable,
  visibility: Visibility,
  page: TimePage<TimeKey>,
  conditions: Sql,
): Promise<Row[]> {
  return inOrder(
    reader,
    startedBefore(reader.engine, table, visibility, page.device, pageById(page, conditions)),
    page.count,
  );
}

function startedBefore(
  engine: Engine,
  table: LastingTable,
  visibility: Visibility,
  device: number | null,
  page: TimedPage,
): Sql[] {
  return device === null && seesAll(visibility)
    ? underWayInAccount(engine, table, visibility, page)
    : [underWayInSight(table, visibility, device, page)];
}

function inOrder<Row>(reader: Reader, parts: readonly Sql[], count: number): Promise<Row[]> {
  const all = parts
    .map((part) => sql`select * from (${part}) part`)
    .reduce((one, other) => sql`${one} union all ${other}`);
  return reader.all(sql`${all} order by started_at, id ${limitTo(count)}`);
}

/** What was under way when the window began. */
function underWayInAccount(engine: Engine, table: LastingTable, visibility: Visibility, page: TimedPage): Sql[] {
  const { fromMs } = page;
  const { classOfRow, belowMs } = table.lengths;
  const inProgress = belowMs.length - 1;
  return belowMs.map((below, lengthClass) => {
    // Apart from each other, so that an index that has the end can answer it.
    const reaches = lengthClass === inProgress ? nothing : sql`and r.ended_at > ${fromMs}`;
    return timedRows(engine, table, visibility, null, {
      ...page,
      fromMs: fromMs - below,
      toMs: fromMs,
      conditions: sql`and (${classOfRow}) = ${lengthClass} ${reaches} ${page.conditions}`,
    });
  });
}

/** Only the last row of each device before the window can reach into it. */
function underWayInSight(table: LastingTable, visibility: Visibility, device: number | null, page: TimedPage): Sql {
  const { tables, condition } = devicesInSight(visibility, device);
  const { accountId } = visibility;
  const { fromMs, afterKey } = page;
  return sql`
    with latest as materialized (
      select d.device, d.id, d.imei, (
        select max(r.started_at) from ${table.name} r
        where r.account_id = ${accountId} and r.device = d.device and r.started_at < ${fromMs}) as started_at
      from ${tables} where ${condition})
    select ${table.columns}, d.id as device_id, d.imei
    from latest d cross join ${table.name} r
    where r.account_id = ${accountId} and r.device = d.device and r.started_at = d.started_at
      and ${wasUnderWayAt(fromMs)} ${afterKey === null ? nothing : sql`and (${table.key}) > (${afterKey})`}
      ${page.conditions}
    order by ${table.key} ${limitTo(page.count)}`;
}

function wasUnderWayAt(moment: number): Sql {
  return sql`(r.ended_at is null or r.ended_at > ${moment})`;
}
