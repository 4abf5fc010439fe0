import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../database.ts";
import { listOf, type Sql, sql } from "../sql.ts";
import { driversOfTrip, eachDriver } from "../trip-drivers.ts";
import { isVisible, seesAll } from "../visible.ts";
import { type DriverRow, driverIdsIn, driversOfAccount, driverTagHolders } from "./drivers.ts";

/** A person whom the owner of the account named, or a tag that nobody has named. */
export interface Driver {
  /** Null: nobody has named the tag. */
  readonly id: string | null;
  readonly name: string | null;
  /** Of the tags and cards, in ascending order; of a person perhaps none. */
  readonly driver_ids: readonly string[];
}

export interface SeenDriver extends Driver {
  readonly last_seen_at: number | null;
  /** Public id of the vehicle. */
  readonly last_device_id: string | null;
}

/** All drivers of the account, seen or not: people by name, then tags without one. */
export async function allDrivers(reader: Reader, { accountId }: Visibility): Promise<Driver[]> {
  const people = (await driversOfAccount(reader, accountId, null)).map(personOf);
  const named = new Set(people.flatMap(({ driver_ids }) => driver_ids));
  const sent = [
    ...(await idsIn(reader, sql`trips`, accountId)),
    ...(await laterDrivers(reader, accountId)),
    ...(await idsIn(reader, sql`latest_positions`, accountId)),
  ];
  const unnamed = [...new Set(sent)].filter((tag) => !named.has(tag));
  return [...people, ...unnamed.map((tag) => ({ id: null, name: null, driver_ids: [tag] }))].sort(compareDrivers);
}

function personOf({ id, name, driver_ids_json }: DriverRow): Driver {
  return { id, name, driver_ids: driverIdsIn({ driver_ids_json }) };
}

/** A person; null if the viewer has not seen them. */
export async function visiblePerson(reader: Reader, visibility: Visibility, id: string): Promise<SeenDriver | null> {
  const people = (await driversOfAccount(reader, visibility.accountId, [id])).map(personOf);
  return (await driversSeen(reader, visibility, people))[0] ?? null;
}

/** A tag that nobody has named; null if somebody has, or the viewer has not seen it. */
export async function visibleTag(reader: Reader, visibility: Visibility, driverId: string): Promise<SeenDriver | null> {
  const holders = await driverTagHolders(reader, visibility.accountId, [driverId]);
  if (holders.length > 0) return null;
  const [seen = null] = await driversSeen(reader, visibility, [{ id: null, name: null, driver_ids: [driverId] }]);
  return seen;
}

/** Where a driver is in the list: by name, then by the first tag. Tags without a name come last. */
export function compareDrivers(one: Driver, other: Driver): number {
  return (
    Number(one.name === null) - Number(other.name === null) ||
    compareTexts(one.name ?? "", other.name ?? "") ||
    compareTexts(one.driver_ids[0] ?? "", other.driver_ids[0] ?? "") ||
    compareTexts(one.id ?? "", other.id ?? "")
  );
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The different ids in a table, each found by the one before: an account has few drivers and many trips. */
async function idsIn(reader: Reader, table: Sql, accountId: number): Promise<string[]> {
  const next = (condition: Sql) => sql`
    select min(r.driver_id) as driver_id from ${table} r
    where r.account_id = ${accountId} and r.driver_id is not null ${condition}`;
  const rows = await reader.all<{ driver_id: string }>(sql`
    with recursive found(driver_id) as (
      ${next(sql``)}
      union all
      select (${next(sql`and r.driver_id > found.driver_id`)}) from found where found.driver_id is not null)
    select driver_id from found where driver_id is not null`);
  return rows.map(({ driver_id }) => driver_id);
}

/** Those who took over on a trip. Few trips have a handover. */
async function laterDrivers(reader: Reader, accountId: number): Promise<string[]> {
  const rows = await reader.all<{ driver_id: string }>(sql`
    select distinct e.value ->> 0 as driver_id from trips r ${eachDriver(reader.engine)}
    where r.account_id = ${accountId} and r.drivers_json is not null`);
  return rows.map(({ driver_id }) => driver_id);
}

/** These drivers with when and where they were last seen, as far as the viewer may know of them. */
export async function driversSeen(
  reader: Reader,
  visibility: Visibility,
  drivers: readonly Driver[],
): Promise<SeenDriver[]> {
  const byTag = Map.groupBy(
    await sightings(
      reader,
      visibility,
      drivers.flatMap(({ driver_ids }) => driver_ids),
    ),
    ({ driver_id }) => driver_id,
  );
  return drivers.flatMap((driver) => {
    const seen = driver.driver_ids.flatMap((tag) => byTag.get(tag) ?? []);
    const last = seen.reduce<Sighting | null>((best, one) => (isLater(one, best) ? one : best), null);
    // The owner knows all people of the account. A tag is known by where it was seen.
    if (last === null && (driver.id === null || !seesAll(visibility))) return [];
    return [{ ...driver, last_seen_at: last?.seen_at ?? null, last_device_id: last?.device_id ?? null }];
  });
}

interface Sighting {
  readonly driver_id: string;
  readonly device_id: string;
  readonly seen_at: number;
}

/** The later one; of one moment the vehicle with the lower id. */
function isLater(one: Sighting, best: Sighting | null): boolean {
  if (best === null || one.seen_at !== best.seen_at) return best === null || one.seen_at > best.seen_at;
  return one.device_id < best.device_id;
}

/** The last trip with each id in each vehicle in sight, and the live positions that show it. */
async function sightings(
  reader: Reader,
  visibility: Visibility,
  driverIds: readonly string[],
): Promise<readonly Sighting[]> {
  if (driverIds.length === 0) return [];
  const { accountId } = visibility;
  const ids = listOf(driverIds);
  const rows = await reader.all<SightingRow>(sql`
    select s.driver_id, d.id as device_id, t.started_at, coalesce(t.ended_at, t.started_at + t.duration_ms) as ended_at, t.drivers_json
    from (
      select r.driver_id, r.device, max(r.started_at) as started_at from trips r
      where r.account_id = ${accountId} and r.driver_id in ${ids} group by r.driver_id, r.device
      union
      select e.value ->> 0, r.device, max(r.started_at) from trips r ${eachDriver(reader.engine)}
      where r.account_id = ${accountId} and r.drivers_json is not null and e.value ->> 0 in ${ids}
      group by e.value ->> 0, r.device) s
    cross join devices d cross join trips t
    where d.device = s.device and ${isVisible(visibility)}
      and t.account_id = ${accountId} and t.device = s.device and t.started_at = s.started_at
    union all
    select l.driver_id, d.id, l.recorded_at, l.recorded_at, null from latest_positions l
    cross join devices d
    where l.account_id = ${accountId} and l.driver_id in ${ids} and l.recorded_at is not null
      and d.device = l.device and ${isVisible(visibility)}`);
  return rows.map(({ driver_id, device_id, ...row }) => ({ driver_id, device_id, seen_at: seenUntil(driver_id, row) }));
}

interface SightingRow extends Pick<Sighting, "driver_id" | "device_id"> {
  readonly started_at: number;
  /** Of one in progress: its newest position. */
  readonly ended_at: number;
  readonly drivers_json: string | null;
}

/** The end of the trip, unless somebody else took over. */
function seenUntil(driver_id: string, row: Pick<SightingRow, "started_at" | "ended_at" | "drivers_json">): number {
  const own = driversOfTrip({ ...row, driver_id }).findLast(({ driverId }) => driverId === driver_id);
  return own?.until ?? row.ended_at;
}
