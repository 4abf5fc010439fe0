import type { Visibility } from "../domain/visibility.ts";
import type { Engine, Reader } from "./database.ts";
import type { KnownDevices, TimeKey, TimePage } from "./pages.ts";
import { inChunks, limitTo, nothing, type Sql, sql, templateOf } from "./sql.ts";
import {
  andRowIsAmong,
  andRowIsVisible,
  devicesInSight,
  isNotRemoved,
  isVisible,
  ofEachDevice,
  seesAll,
} from "./visible.ts";

/** A table in which each row is about a device at a moment. In these pieces its alias is `r`. */
export interface TimedTable {
  readonly name: Sql;
  readonly time: Sql;
  /** The order of the list: the time, then whatever distinguishes rows of the same time. */
  readonly key: Sql;
  readonly columns: Sql;
  /** Joins that the columns need, each with the account by its number: see distribution.ts. */
  readonly joins?: (accountId: number) => Sql;
}

export interface TimedPage extends Omit<TimePage<{ readonly at: number }>, "device"> {
  /** The key after which the page begins, if there is a page before it. */
  readonly afterKey: Sql | null;
  /** Further conditions on `r`: `and …`. */
  readonly conditions: Sql;
}

/** A page of what the viewer sees, in ascending time: the table's columns, `device_id` and `imei`. */
export function timedRows(
  engine: Engine,
  table: TimedTable,
  visibility: Visibility,
  device: number | null,
  page: TimedPage,
): Sql {
  if (device !== null) return rowsOfDevice(engine, table, visibility, device, page);
  if (seesAll(visibility)) return rowsOfAccount(table, visibility, page);
  return page.walksAccount
    ? rowsSeenInAccount(table, visibility, page)
    : rowsOfAssigned(engine, table, visibility, page);
}

/** The page in a list whose rows of the same time are ordered by their id. */
export function pageById<Page extends TimePage<TimeKey>>(page: Page, conditions: Sql = nothing): Page & TimedPage {
  const { after } = page;
  return { ...page, afterKey: after && sql`${after.at}, ${after.id}`, conditions };
}

/** Walks the account's index and skips rows that the viewer does not see. */
export function rowsSeenInAccount(table: TimedTable, visibility: Visibility, page: TimedPage): Sql {
  return rowsOfAccount(table, visibility, { ...page, conditions: seenConditions(visibility, page) });
}

function seenConditions(visibility: Visibility, { conditions, among }: TimedPage): Sql {
  return sql`${conditions} ${andRowIsVisible(visibility, among)}`;
}

/** The same, neither in order nor up to a count: a piece of a statement that has both. */
export function allSeenInAccount(table: TimedTable, visibility: Visibility, page: TimedPage): Sql {
  const conditions = seesAll(visibility) ? page.conditions : seenConditions(visibility, page);
  return allOfAccount(table, visibility, { ...page, conditions });
}

/** The same without devices: its columns alone, of devices that were in sight. What shows them has to look again. */
export function rowsAmong(table: TimedTable, { accountId }: Visibility, page: TimedPage, among: KnownDevices): Sql {
  return sql`
    select ${table.columns} from ${table.name} r
    where r.account_id = ${accountId} and ${fromStart(table, page)} and ${table.time} < ${page.toMs} ${page.conditions}
      ${andRowIsAmong(among)}
    order by ${table.key} ${limitTo(page.count)}`;
}

/** Whether rows of the account are passed over in an index. PostgreSQL looks into the table for each. */
export function isSkimmed(engine: Engine, { device, walksAccount = false }: TimePage<unknown>): boolean {
  return engine === "sqlite" && device === null && walksAccount;
}

/**
 * With SQLite, a look from an index into the table takes as long as skipping ten rows in the index. Here a row that the viewer does
 * not see, or that a filter does not want, is skipped in the index `i`, which always has the device. For tables by `occurred_at`.
 * `keys`: where to look instead of an index.
 */
export function skimmed(
  table: TimedTable,
  { inIndex, inTable }: { readonly inIndex?: Sql; readonly inTable: Sql },
  { accountId }: Visibility,
  keys: Sql = table.name,
): TimedTable {
  const name = sql`(
    select i.account_id, i.device, i.occurred_at, i.id, ${inIndex ? sql`${inIndex},` : nothing} ${inTable}
    from ${keys} i cross join ${table.name} f
    where i.account_id = ${accountId}
      and f.account_id = ${accountId} and f.device = i.device and f.occurred_at = i.occurred_at and f.id = i.id)`;
  return { ...table, name };
}

/** The time of the last of the next `count` rows, in sight or not; null if there are fewer. */
export async function endOfRows(
  reader: Reader,
  table: TimedTable,
  { accountId }: Visibility,
  page: TimedPage & { readonly device?: number | null },
): Promise<number | null> {
  const ofDevice = typeof page.device === "number" ? sql`and r.device = ${page.device}` : nothing;
  const row = await reader.get<{ at: number }>(sql`
    select ${table.time} as at from ${table.name} r
    where r.account_id = ${accountId} ${ofDevice} and ${fromStart(table, page)} and ${table.time} < ${page.toMs}
      ${page.conditions}
    order by ${table.key} limit 1 offset ${page.count - 1}`);
  return row?.at ?? null;
}

function rowsOfAccount(table: TimedTable, visibility: Visibility, page: TimedPage): Sql {
  return sql`${allOfAccount(table, visibility, page)} ${firstOf(table, page)}`;
}

/** Walks the account's index in time order. Left joins, so that both engines join in the order written. */
function allOfAccount(table: TimedTable, { accountId }: Visibility, page: TimedPage): Sql {
  return sql`
    select ${table.columns}, d.id as device_id, d.imei
    from ${table.name} r ${joinsOf(table, accountId)} left join devices d on d.account_id = ${accountId} and d.device = r.device
    where r.account_id = ${accountId} and ${fromStart(table, page)} and ${table.time} < ${page.toMs} ${page.conditions}
      and ${isNotRemoved}`;
}

function rowsOfDevice(engine: Engine, table: TimedTable, visibility: Visibility, device: number, page: TimedPage): Sql {
  const { tables, condition } = devicesInSight(visibility, device);
  const range = rangeOfDevice(table, visibility, page, sql`${page.toMs}`);
  return sql`
    select ${table.columns}, d.id as device_id, d.imei
    from ${tables} ${ofEachDevice(engine, table.name, range, firstOf(table, page))}
      ${joinsOf(table, visibility.accountId)}
    where ${condition}
    order by ${table.key} ${limitTo(page.count)}`;
}

/**
 * Merges the ranges of the sub-account's devices, or of those with a tag, and reads no others. Two bounds prevent it from reading more
 * than the page needs:
 * - as soon as enough devices have their first row, or their first few, to fill the page, nothing later can be on it: one row each
 *   if there are many devices, more if there are few;
 * - nor can anything later than the moment by which one of them alone fills the page. PostgreSQL reads no more rows of a device
 *   than the page has (`firstOf`), and does not need it.
 */
function rowsOfAssigned(engine: Engine, table: TimedTable, visibility: Visibility, page: TimedPage): Sql {
  const { count, among } = page;
  const { tables, condition } = devicesInSight(visibility, null, among?.table);
  const devices = among
    ? sql`cast(${among.count} as bigint)`
    : sql`(select count(*) from ${tables} where ${condition})`;
  const inWindow = rangeOfDevice(table, visibility, page, sql`${page.toMs}`);
  const inReach = rangeOfDevice(table, visibility, page, sql`(select until from reach)`);
  const onPage = rangeOfDevice(table, visibility, page, sql`d.until`);
  const timeOf = (range: Sql, offset: Sql) =>
    sql`(select ${table.time} from ${table.name} r where ${range} order by ${table.key} limit 1 offset ${offset})`;
  const untilFilled = sql`coalesce(min(${timeOf(inReach, sql`${count - 1}`)}) over (), (select until from reach) - 1) + 1`;
  // Twice as many rows as the page has, in all. A device of which more than one is asked for may have fewer before the reach.
  return sql`
    with share as materialized (select 1 + ${2 * count} / (${devices} + 1) as row_count),
    heads as materialized (
      select d.device, d.id, d.imei, ${timeOf(inWindow, sql`(select row_count - 1 from share)`)} as at
      from ${tables} where ${condition}),
    reach as materialized (
      select coalesce((
        select at from heads where at is not null order by at
        limit 1 offset (select (${count - 1}) / row_count from share)) + 1, ${page.toMs}) as until),
    sight as materialized (
      select d.device, d.id, d.imei, ${engine === "postgres" ? sql`(select until from reach)` : untilFilled} as until
      from heads d where d.at < (select until from reach) or (select row_count from share) > 1)
    select ${table.columns}, d.id as device_id, d.imei
    from sight d ${ofEachDevice(engine, table.name, onPage, firstOf(table, page))}
      ${joinsOf(table, visibility.accountId)}
    order by ${table.key} ${limitTo(page.count)}`;
}

function joinsOf({ joins }: TimedTable, accountId: number): Sql {
  return joins ? joins(accountId) : nothing;
}

/** No device has more rows on the page than the page has. */
function firstOf(table: TimedTable, page: TimedPage): Sql {
  return sql`order by ${table.key} ${limitTo(page.count)}`;
}

/** The rows of device `d` that may be on the page, up to a moment. */
function rangeOfDevice(table: TimedTable, { accountId }: Visibility, page: TimedPage, until: Sql): Sql {
  return sql`r.account_id = ${accountId} and r.device = d.device
    and ${fromStart(table, page)} and ${table.time} < ${until} ${page.conditions}`;
}

/** One lower bound only, or SQLite might seek by the wrong one: those of the last line begin at the same moment. */
function fromStart({ time, key }: TimedTable, { after, afterKey, fromMs }: TimedPage): Sql {
  if (after === null || afterKey === null || after.at < fromMs) return sql`${time} >= ${fromMs}`;
  return sql`${time} >= ${after.at} and (${key}) > (${afterKey})`;
}

/** A device and a moment: what is looked up in a list that is ordered by time. */
export interface DeviceMoment {
  readonly device: number;
  readonly at: number;
}

/** Lists are padded to one of these lengths, so that few different statements have to be prepared. */
const sizes = [1, 10, 50, 110, 200] as const;
export const maxMoments = 200;

/** The rows at exactly these moments of devices that the viewer sees, in any order, with the moment, `device_id`, `imei`. */
export function rowsAt<Row>(
  reader: Reader,
  table: TimedTable,
  visibility: Visibility,
  moments: readonly DeviceMoment[],
  conditions: Sql = nothing,
): Promise<(Row & DeviceMoment)[]> {
  const isThere = sql`r.account_id = ${visibility.accountId} and r.device = wanted.column1 and ${table.time} = wanted.column2
    ${conditions}`;
  return reader.all(sql`
    select ${table.columns}, r.device, ${table.time} as at, d.id as device_id, d.imei
    from ${momentRows(moments)} wanted ${ofEachDevice(reader.engine, table.name, isThere, nothing)}
      ${joinsOf(table, visibility.accountId)}
    cross join devices d
    where d.device = r.device and ${isVisible(visibility)}`);
}

/** To look each up by itself: `w.column1` and `w.column2` of `from ${momentRows(moments)} w`. */
export function momentRows(moments: readonly DeviceMoment[]): Sql {
  return deviceRows(
    2,
    moments.map(({ device, at }) => [device, at]),
  );
}

/** The same of any rows that begin with a device. Repeated ones would be found twice: those that pad the list are of no device. */
export function deviceRows(columns: 2 | 3, rows: readonly (readonly number[])[]): Sql {
  const none = [-1, 0, 0].slice(0, columns);
  return inChunks(rows, maxMoments, (some) => {
    const size = sizes.find((candidate) => candidate >= some.length) ?? maxMoments;
    const all = Array.from({ length: size }, (_, index) => some[index] ?? none);
    return sql(rowTemplates[columns].get(size) as TemplateStringsArray, ...all.flat());
  });
}

/** `(values (cast(… as bigint), cast(… as bigint)), (cast(…` */
function rowTemplate(size: number, columns: number): TemplateStringsArray {
  const between = Array.from({ length: columns * size - 1 }, (_, index) =>
    (index + 1) % columns === 0 ? " as bigint)), (cast(" : " as bigint), cast(",
  );
  return templateOf(["(values (cast(", ...between, " as bigint)))"]);
}

function rowTemplatesOf(columns: number): ReadonlyMap<number, TemplateStringsArray> {
  return new Map(sizes.map((size) => [size, rowTemplate(size, columns)]));
}

const rowTemplates = { 2: rowTemplatesOf(2), 3: rowTemplatesOf(3) } as const;
