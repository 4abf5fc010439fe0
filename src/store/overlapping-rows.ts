import type { Visibility } from "../domain/visibility.ts";
import type { Engine, Reader } from "./database.ts";
import type { TimeKey, TimePage } from "./pages.ts";
import { limitTo, nothing, plainSql, type Sql, sql } from "./sql.ts";
import { allSeenInAccount, pageById, type TimedPage, type TimedTable, timedRows } from "./timed-rows.ts";
import { devicesInSight, ofEachDevice, seesAll } from "./visible.ts";

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

export interface LastingPage extends TimePage<TimeKey> {
  /** Only rows that last at least as long, or are in progress. Shorter ones may be found as well: it only saves searching them. */
  readonly minLengthMs?: number;
}

/** The rows that overlap the window, in ascending start. The first ones may have started before it. */
export async function overlappingRows<Row>(
  reader: Reader,
  table: LastingTable,
  visibility: Visibility,
  page: LastingPage,
  conditions: Sql = nothing,
): Promise<Row[]> {
  const { engine } = reader;
  const { after, device, count, fromMs, isLaterPart = false } = page;
  const timed = pageById(page, conditions);
  const within = async () => reader.all<Row>(startedWithin(engine, table, visibility, device, timed));
  if (isLaterPart || (after !== null && after.at >= fromMs)) return within();
  const before = await reader.all<Row>(startedBefore(engine, table, visibility, device, timed));
  return before.length >= count ? before : [...before, ...(await within())].slice(0, count);
}

/** Whether rows of at least this length are found without searching all others. */
export function isFoundByLength({ lengths }: LastingTable, minLengthMs: number): boolean {
  return minLengthMs >= (lengths.belowMs[0] ?? Number.POSITIVE_INFINITY);
}

/** Whether at most `count` rows that start in the window, of devices in sight or not, are of classes with the wanted length. */
export async function areFewOfLength(
  reader: Reader,
  table: LastingTable,
  { accountId }: Visibility,
  page: LastingPage,
): Promise<boolean> {
  const { after, toMs, count } = page;
  const fromMs = Math.max(page.fromMs, after?.at ?? page.fromMs);
  const all = classesOf(table, page)
    .map(
      ({ isOfClass }) => sql`select * from (
        select r.started_at from ${table.name} r
        where r.account_id = ${accountId} ${isOfClass} and r.started_at >= ${fromMs} and r.started_at < ${toMs}
        order by r.started_at ${limitTo(count + 1)}) part`,
    )
    .reduce((one, other) => sql`${one} union all ${other}`);
  return (await reader.get(sql`select 1 as more from (${all}) found limit 1 offset ${count}`)) === null;
}

type OwnPage = LastingPage & TimedPage;

function startedWithin(
  engine: Engine,
  table: LastingTable,
  visibility: Visibility,
  device: number | null,
  page: OwnPage,
): Sql {
  if (device !== null || !page.walksAccount) return timedRows(engine, table, visibility, device, page);
  return firstOfAll(engine, table, visibility, page, (own) => {
    const ofKeys = (conditions: Sql) => allSeenInAccount(keysOf(table), visibility, { ...own, conditions });
    return isFoundByLength(table, page.minLengthMs ?? 0)
      ? classesOf(table, page).map(({ isOfClass }) => ofKeys(sql`${isOfClass} ${page.conditions}`))
      : [ofKeys(page.conditions)];
  });
}

/** The index by length is the account's. */
function isByClass(visibility: Visibility, device: number | null, { walksAccount }: OwnPage): boolean {
  return device === null && (seesAll(visibility) || walksAccount === true);
}

function startedBefore(
  engine: Engine,
  table: LastingTable,
  visibility: Visibility,
  device: number | null,
  page: OwnPage,
): Sql {
  return isByClass(visibility, device, page)
    ? firstOfAll(engine, table, visibility, page, (own) => underWayInAccount(keysOf(table), visibility, own))
    : underWayInSight(table, visibility, device, page);
}

/** Each class may fill the page: only what is on it is looked up in the table. */
function keysOf(table: LastingTable): LastingTable {
  return { ...table, columns: sql`r.device, r.started_at as started_at, r.id as id` };
}

/**
 * The first rows of several lists, each of which has the keys of its own. Known devices are sent once for all of them.
 *
 * SQLite merges the lists as the index has them, and reads no more of each than the page needs. PostgreSQL might read and sort them
 * whole, so each has a bound.
 */
function firstOfAll(
  engine: Engine,
  table: LastingTable,
  { accountId }: Visibility,
  { count, among, ...page }: OwnPage,
  keysIn: (page: OwnPage) => readonly Sql[],
): Sql {
  const isTable = among && among.marks === null;
  const once = isTable ? sql`with sent as materialized (select w.device from ${among.table} w)` : nothing;
  const known = isTable ? { ...among, table: sql`(select device from sent)` } : among;
  const inOrder = sql`order by started_at, id ${limitTo(count)}`;
  const all = keysIn({ ...page, count, among: known })
    .map((part) => (engine === "postgres" ? sql`select * from (${part} ${inOrder}) part` : part))
    .reduce((one, other) => sql`${one} union all ${other}`);
  // Those of one device never start together. With the id, SQLite would look up the key in an index first.
  const isOfKey = sql`r.account_id = ${accountId} and r.device = d.device and r.started_at = d.started_at`;
  return sql`
    ${once} select ${table.columns}, d.device_id, d.imei from (${all} ${inOrder}) d
      ${ofEachDevice(engine, table.name, isOfKey, nothing)}
    order by ${table.key}`;
}

/** The classes in which rows of the wanted length are. */
function classesOf({ lengths }: LastingTable, { minLengthMs = 0 }: LastingPage) {
  const { classOfRow, belowMs } = lengths;
  return belowMs
    .map((below, index) => ({
      below,
      isOfClass: sql`and (${classOfRow}) = ${index}`,
      isOver: index < belowMs.length - 1,
    }))
    .filter(({ below }) => below > minLengthMs);
}

/** What was under way when the window began. */
function underWayInAccount(table: LastingTable, visibility: Visibility, page: OwnPage): Sql[] {
  const { fromMs } = page;
  return classesOf(table, page).map(({ below, isOfClass, isOver }) => {
    // Apart from each other, so that an index that has the end can answer it.
    const reaches = isOver ? sql`and r.ended_at > ${fromMs}` : nothing;
    return allSeenInAccount(table, visibility, {
      ...page,
      fromMs: fromMs - below,
      toMs: fromMs,
      conditions: sql`${isOfClass} ${reaches} ${page.conditions}`,
    });
  });
}

/** Only the last row of each device before the window can reach into it: of most devices it does not, and is looked at once. */
function underWayInSight(table: LastingTable, visibility: Visibility, device: number | null, page: TimedPage): Sql {
  const { tables, condition } = devicesInSight(visibility, device, page.among?.table);
  const { accountId } = visibility;
  const { fromMs, afterKey } = page;
  return sql`
    with latest as materialized (
      select d.device, d.id, d.imei, (
        select case when ${wasUnderWayAt(fromMs)} then r.started_at end from ${table.name} r
        where r.account_id = ${accountId} and r.device = d.device and r.started_at < ${fromMs}
        order by r.started_at desc limit 1) as started_at
      from ${tables} where ${condition})
    select ${table.columns}, d.id as device_id, d.imei
    from latest d cross join ${table.name} r
    where d.started_at is not null and r.account_id = ${accountId} and r.device = d.device and r.started_at = d.started_at
      ${afterKey === null ? nothing : sql`and (${table.key}) > (${afterKey})`} ${page.conditions}
    order by ${table.key} ${limitTo(page.count)}`;
}

function wasUnderWayAt(moment: number): Sql {
  return sql`(r.ended_at is null or r.ended_at > ${moment})`;
}
