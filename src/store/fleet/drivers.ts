import { bigint, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { limitTo, listOf, sql } from "../sql.ts";
import { listed, omit, stamped, table, upsert } from "../table.ts";
import { eachDriver } from "../trip-drivers.ts";

/** Who drives. Trackers send the ids of tags and cards; the owner says whose they are. */
const driverTable = table("drivers", ["account_id", "id"], {
  account_id: bigint,
  id: uuid,
  name: text,
  /** In ascending order. */
  driver_ids_json: text,
  created_at: bigint,
  updated_at: bigint,
});

const loaded = omit(driverTable.columns, "created_at", "updated_at");
const columns = listed(loaded);
const bulk = upsert(driverTable, ["created_at"]);

export type DriverRow = RowOf<typeof loaded>;

/** By the id of a tag or card: whose it is. Each belongs to one driver of the account. */
const driverTagTable = table("driver_tags", ["account_id", "driver_id"], {
  account_id: bigint,
  driver_id: text,
  id: uuid,
});

const tagBulk = upsert(driverTagTable);

/** The drivers of an account, all or those named. */
export function driversOfAccount(
  reader: Reader,
  accountId: number,
  ids: Iterable<string> | null,
): Promise<DriverRow[]> {
  const all = sql`select ${columns} from drivers where account_id = ${accountId}`;
  if (ids === null) return reader.all(sql`${all} order by id`);
  return reader.all(sql`${all} and id in ${listOf(ids)} order by id`);
}

export async function saveDrivers(tx: Transaction, rows: readonly DriverRow[], now: number): Promise<void> {
  for (const [accountId, own] of Map.groupBy(rows, (row) => row.account_id)) {
    // Two drivers may swap their tags in one file, so the old ones are cleared first.
    await removeTags(
      tx,
      accountId,
      own.map(({ id }) => id),
    );
  }
  await tx.insertMany(bulk, stamped(rows, now));
  await tx.insertMany(
    tagBulk,
    rows.flatMap(({ account_id, id, driver_ids_json }) =>
      driverIdsIn({ driver_ids_json }).map((driver_id) => ({ account_id, driver_id, id })),
    ),
  );
}

/** Nothing of it is left but the ids that trackers sent, which are nobody's then. */
export async function deleteDriver(tx: Transaction, accountId: number, id: string): Promise<void> {
  await removeTags(tx, accountId, [id]);
  await tx.write(sql`delete from drivers where account_id = ${accountId} and id = ${id}`);
}

async function removeTags(tx: Transaction, accountId: number, ids: readonly string[]): Promise<void> {
  await tx.writeAny(sql`delete from driver_tags where account_id = ${accountId} and id in ${listOf(ids)}`);
}

export function driverIdsIn({ driver_ids_json }: Pick<DriverRow, "driver_ids_json">): readonly string[] {
  return JSON.parse(driver_ids_json) as string[];
}

/** Names by the ids that trackers sent. An id that nobody named is not among them. */
export type DriverNames = ReadonlyMap<string, string>;

const noNames: DriverNames = new Map();

/** Without a statement if none of the rows has a driver, as with most trackers. */
export async function driverNames(
  reader: Reader,
  accountId: number,
  driverIds: Iterable<string | null | undefined>,
): Promise<DriverNames> {
  const wanted = new Set<string>();
  for (const id of driverIds) if (id) wanted.add(id);
  if (wanted.size === 0) return noNames;
  const rows = await driverTagHolders(reader, accountId, wanted);
  return new Map(rows.map(({ driver_id, name }) => [driver_id, name]));
}

export interface DriverTagHolder {
  readonly driver_id: string;
  readonly id: string;
  readonly name: string;
}

export function driverTagHolders(
  reader: Reader,
  accountId: number,
  driverIds: Iterable<string>,
): Promise<DriverTagHolder[]> {
  return reader.all(sql`
    select t.driver_id, d.id, d.name from driver_tags t
    join drivers d on d.account_id = ${accountId} and d.id = t.id
    where t.account_id = ${accountId} and t.driver_id in ${listOf(driverIds)}`);
}

/** The rows with the names that the drivers have now. */
export async function withDriverNames<Row extends { readonly driver_id: string | null }>(
  reader: Reader,
  accountId: number,
  rows: readonly Row[],
): Promise<(Row & { readonly driver_name: string | null })[]> {
  const names = await driverNames(
    reader,
    accountId,
    rows.map(({ driver_id }) => driver_id),
  );
  return rows.map((row) => ({ ...row, driver_name: names.get(row.driver_id ?? "") ?? null }));
}

/** The devices whose live position shows one of these ids. */
export async function devicesDrivenWith(
  reader: Reader,
  accountId: number,
  driverIds: Iterable<string>,
): Promise<number[]> {
  const rows = await reader.all<{ device: number }>(sql`
    select device from latest_positions where account_id = ${accountId} and driver_id in ${listOf(driverIds)}`);
  return rows.map(({ device }) => device);
}

export interface DrivenTrip {
  readonly device: number;
  readonly started_at: number;
}

/** The trips that show one of these ids, in the order of each device's. */
export function tripsDrivenWith(reader: Reader, accountId: number, driverIds: Iterable<string>): Promise<DrivenTrip[]> {
  const ids = listOf(driverIds);
  return reader.all(sql`
    select device, started_at from trips
    where account_id = ${accountId} and driver_id in ${ids}
    union
    select r.device, r.started_at from trips r ${eachDriver(reader.engine)}
    where r.account_id = ${accountId} and r.drivers_json is not null and e.value ->> 0 in ${ids}
    order by device, started_at`);
}

/** In which vehicles each of these ids was seen: on a trip, or in the live position. */
export function vehiclesDrivenWith(
  reader: Reader,
  accountId: number,
  driverIds: Iterable<string>,
): Promise<{ readonly driver_id: string; readonly device: number }[]> {
  const ids = listOf(driverIds);
  return reader.all(sql`
    select driver_id, device from trips where account_id = ${accountId} and driver_id in ${ids}
    union
    select e.value ->> 0, r.device from trips r ${eachDriver(reader.engine)}
    where r.account_id = ${accountId} and r.drivers_json is not null and e.value ->> 0 in ${ids}
    union
    select driver_id, device from latest_positions where account_id = ${accountId} and driver_id in ${ids}`);
}

/** Enough to find everybody who drove lately, and read at once. */
const tripsLookedAt = 10_000;
const maxSeen = 200;

export interface SeenDriverId {
  readonly driver_id: string;
  readonly seen_at: number;
}

/** The ids that trackers sent lately, named or not: of the newest trips and of the live positions, newest first. */
export function seenDriverIds(reader: Reader, accountId: number): Promise<SeenDriverId[]> {
  return reader.all(sql`
    with newest as (
      select driver_id, drivers_json, started_at as at from trips where account_id = ${accountId}
      order by started_at desc ${limitTo(tripsLookedAt)})
    select driver_id, max(at) as seen_at from (
      select driver_id, at from newest
      union all
      select e.value ->> 0, r.at from newest r ${eachDriver(reader.engine)} where r.drivers_json is not null
      union all
      select driver_id, recorded_at as at from latest_positions where account_id = ${accountId}) seen
    where driver_id is not null group by driver_id order by seen_at desc, driver_id ${limitTo(maxSeen)}`);
}

/** Whether anything about drivers is worth showing: one is named, or an id is in a live position or in any trip. */
export async function hasDrivers(reader: Reader, accountId: number): Promise<boolean> {
  // Each is the first entry of an index that has nothing else: one that is empty costs nothing.
  const row = await reader.get(sql`
    select 1 as there from drivers where account_id = ${accountId}
    union all select 1 from latest_positions where account_id = ${accountId} and driver_id is not null
    union all select 1 from trips where account_id = ${accountId} and driver_id is not null
    union all select 1 from trips where account_id = ${accountId} and drivers_json is not null limit 1`);
  return row !== null;
}
