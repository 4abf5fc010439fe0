import { imeisWithKey, trackerKey } from "../../domain/text/identifiers.ts";
import { type TrackerNames, takenName } from "../../domain/tracker-identity.ts";
import type { TrackerProtocol } from "../../domain/tracker-protocols.ts";
import type { Reader } from "../database.ts";
import { listOf, sql } from "../sql.ts";

/** Devices by what their trackers call themselves, whatever the account. Nobody finds a removed device so. */

/** A device that has a name which another wants. */
export interface TrackerHolder extends TrackerNames {
  readonly account_id: number;
  readonly id: string;
}

const holderColumns = sql`account_id, id, imei, tracker_key as tracker_id`;

/** The devices that have an IMEI or a tracker id which these want; also these themselves, if they are stored. */
export async function trackerHolders(reader: Reader, wanted: readonly TrackerNames[]): Promise<TrackerHolder[]> {
  const ids = wanted.flatMap(({ tracker_id }) => tracker_id ?? []).map(trackerKey);
  const imeis = wanted.map(({ imei }) => imei);
  const possible = listOf([...imeis, ...ids.flatMap(imeisWithKey)]);
  const keys = listOf([...imeis.map(trackerKey), ...ids]);
  const found = [
    ...(await reader.all<TrackerHolder>(sql`select ${holderColumns} from device_directory where imei in ${possible}`)),
    ...(await reader.all<TrackerHolder>(
      sql`select ${holderColumns} from device_directory where tracker_key in ${keys}`,
    )),
  ];
  return [...new Map(found.map((holder) => [holder.id, holder])).values()];
}

/** Of devices that want names, those that they cannot have, because a holder has them. */
export function takenNames<Wanted extends TrackerNames>(
  wanted: readonly Wanted[],
  holders: readonly TrackerHolder[],
): ReadonlyMap<Wanted, { readonly name: keyof TrackerNames; readonly holder: TrackerHolder }> {
  const byKey = new Map<string, TrackerHolder[]>();
  for (const holder of holders) {
    for (const key of new Set([trackerKey(holder.imei), holder.tracker_id ?? trackerKey(holder.imei)])) {
      byKey.set(key, [...(byKey.get(key) ?? []), holder]);
    }
  }
  const taken = new Map<Wanted, { readonly name: keyof TrackerNames; readonly holder: TrackerHolder }>();
  for (const each of wanted) {
    for (const key of [each.imei, each.tracker_id ?? each.imei].map(trackerKey)) {
      for (const holder of byKey.get(key) ?? []) {
        const name = takenName(each, holder);
        if (name !== null && !taken.has(each)) taken.set(each, { name, holder });
      }
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
}

/** A key may be that of three IMEIs, and a list has at most 500 values. */
const keysPerStatement = 150;

interface FoundDevice extends TrackerDevice {
  readonly tracker_key: string | null;
}

/**
 * The devices of trackers by what they call themselves: an IMEI or a tracker id, filled up with zeros or not. As with frames that
 * come with a token, a suspended account's are not found; whether a device is active does not matter.
 */
export async function trackerDevices(
  reader: Reader,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, TrackerDevice>> {
  const keys = [...new Set(Array.from(names, trackerKey))];
  const rows: FoundDevice[] = [];
  for (let start = 0; start < keys.length; start += keysPerStatement) {
    rows.push(...(await devicesWithKeys(reader, keys.slice(start, start + keysPerStatement))));
  }
  const byKey = new Map(rows.map((row) => [row.tracker_key, row]));
  const byImei = new Map(rows.map((row) => [row.imei, row]));
  const found = new Map<string, TrackerDevice>();
  for (const name of names) {
    const key = trackerKey(name);
    // Of IMEIs that differ in leading zeros only, 14 digits mean what they say; all else may be filled up.
    const imeis = [...(name.length === 14 ? [name] : []), ...imeisWithKey(key)];
    const row = byKey.get(key) ?? imeis.map((imei) => byImei.get(imei)).find((each) => each !== undefined);
    if (row === undefined) continue;
    const { imei, account_id, tracker_protocol } = row;
    found.set(name, { imei, account_id, tracker_protocol });
  }
  return found;
}

function devicesWithKeys(reader: Reader, keys: readonly string[]): Promise<FoundDevice[]> {
  const working = sql`
    select d.imei, d.account_id, d.tracker_key, d.tracker_protocol from device_directory d
    join accounts a on a.account_id = d.account_id and a.status = 'active' where d.erasing_at is null`;
  const byKey = sql`${working} and d.tracker_key in ${listOf(keys)}`;
  const imeis = keys.flatMap(imeisWithKey);
  // A list without values would end the whole statement. One of each, since a plan walks one index for a table.
  if (imeis.length === 0) return reader.all(byKey);
  return reader.all(sql`${byKey} union all ${working} and d.imei in ${listOf(imeis)}`);
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
