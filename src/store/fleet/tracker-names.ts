import { trackerKey } from "../../domain/text/identifiers.ts";
import { type TrackerNames, trackerKeys } from "../../domain/tracker-identity.ts";
import type { TrackerProtocol } from "../../domain/tracker-protocols.ts";
import type { Reader } from "../database.ts";
import { inEachAccount } from "../each-account.ts";
import { limitTo, listOf, sql } from "../sql.ts";

/** Devices by what their trackers call themselves, whatever the account. Nobody finds a removed device so. */

/** A device that has a name which another wants. */
export interface TrackerHolder {
  readonly tracker_key: string;
  readonly account_id: number;
  readonly id: string;
}

/** The devices that have these names, by the names' keys. */
export async function trackerHolders(
  reader: Reader,
  names: Iterable<string>,
): Promise<ReadonlyMap<string, TrackerHolder>> {
  const keys = Array.from(names, trackerKey);
  const rows = await reader.all<TrackerHolder>(sql`
    select n.tracker_key, d.account_id, d.id from tracker_names n join device_directory d on d.device = n.device
    where n.tracker_key in ${listOf(keys)}`);
  return new Map(rows.map((row) => [row.tracker_key, row]));
}

/** A name that a device cannot have, and who has it. */
export interface TakenName {
  readonly name: keyof TrackerNames;
  readonly value: string;
  readonly holder: TrackerHolder;
}

/** Of devices that want names, those that they cannot have, because others have them. */
export async function takenNames<Wanted extends TrackerNames>(
  reader: Reader,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<Wanted, TakenName>> {
  const holders = await trackerHolders(reader, wanted.flatMap(trackerKeys));
  const taken = new Map<Wanted, TakenName>();
  for (const each of wanted) {
    for (const name of ["imei", "tracker_id"] as const) {
      const value = each[name] ?? "";
      const holder = holders.get(trackerKey(value));
      if (holder !== undefined && !taken.has(each)) taken.set(each, { name, value, holder });
    }
  }
  return taken;
}

/** Whose frames a tracker sends that calls us. */
export interface TrackerDevice {
  readonly imei: string;
  readonly account_id: number;
  /** The only protocol that it may speak; null: any. */
  readonly tracker_protocol: TrackerProtocol | null;
  readonly tracker_model: string | null;
}

/**
 * The devices of trackers by what they call themselves: an IMEI or a tracker id, filled up with zeros or not. As with frames that
 * come with a token, a suspended account's are not found; whether a device is active does not matter.
 */
export async function trackerDevices(
  reader: Reader,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, TrackerDevice>> {
  const rows = await reader.all<NamedDevice>(sql`
    select n.tracker_key, d.device, d.imei, d.account_id, d.tracker_protocol
    from tracker_names n join device_directory d on d.device = n.device
    join accounts a on a.account_id = d.account_id and a.status = 'active'
    where n.tracker_key in ${listOf(Array.from(names, trackerKey))} and d.erasing_at is null`);
  const models = await modelsOf(reader, rows);
  const byKey = new Map(
    rows.map(({ tracker_key, device, ...known }) => [
      tracker_key,
      { ...known, tracker_model: models.get(device) ?? null },
    ]),
  );
  const found = new Map<string, TrackerDevice>();
  for (const name of names) {
    const device = byKey.get(trackerKey(name));
    if (device !== undefined) found.set(name, device);
  }
  return found;
}

interface NamedDevice extends Omit<TrackerDevice, "tracker_model"> {
  readonly tracker_key: string;
  readonly device: number;
}

/** Of each account alone: the directory, which all machines have, does not hold them. */
async function modelsOf(reader: Reader, devices: readonly NamedDevice[]): Promise<ReadonlyMap<number, string | null>> {
  const rows = await inEachAccount(devices, (accountId, own) => {
    const numbers = listOf(own.map(({ device }) => device));
    return reader.all<{ device: number; tracker_model: string | null }>(sql`
      select device, tracker_model from devices where account_id = ${accountId} and device in ${numbers}`);
  });
  return new Map(rows.map(({ device, tracker_model }) => [device, tracker_model]));
}

/** A device without a tracker: another has the name. Earlier versions allowed IMEIs that differ in leading zeros only. */
export interface NamelessDevice {
  readonly account: string;
  readonly id: string;
  readonly imei: string;
  /** The IMEI of the device that has the tracker. */
  readonly held_by: string;
}

/** At most so many, by IMEI. */
export function namelessDevices(reader: Reader, count: number): Promise<NamelessDevice[]> {
  // One of two such IMEIs begins with a zero, and those are few: an index finds them.
  const hasZero = sql`z.imei >= '0' and z.imei < '1'`;
  const key = sql`coalesce(nullif(ltrim(z.imei, '0'), ''), '0')`;
  const holder = sql`join device_directory h on h.device = n.device join accounts a`;
  return reader.all(sql`
    select z.imei as imei, z.id as id, a.id as account, h.imei as held_by
    from device_directory z join tracker_names n on n.tracker_key = ${key} ${holder} on a.account_id = z.account_id
    where ${hasZero} and n.device <> z.device
    union
    select d.imei, d.id, a.id, h.imei
    from device_directory z join device_directory d on d.imei = ${key}
    join tracker_names n on n.tracker_key = d.imei ${holder} on a.account_id = d.account_id
    where ${hasZero} and n.device <> d.device
    order by imei ${limitTo(count)}`);
}

/** A device of an account whose tracker calls by itself. */
export interface CallingTracker {
  readonly imei: string;
  readonly tracker_id: string | null;
  readonly tracker_protocol: TrackerProtocol;
  /** Of the live position; null: it has none. */
  readonly recorded_at: number | null;
}

export function trackersOfAccount(reader: Reader, accountId: number): Promise<CallingTracker[]> {
  return reader.all(sql`
    select d.imei, d.tracker_id, d.tracker_protocol, p.recorded_at from devices d
    left join latest_positions p on p.account_id = ${accountId} and p.device = d.device
    where d.account_id = ${accountId} and d.tracker_protocol is not null and d.removed_at is null order by d.device`);
}
