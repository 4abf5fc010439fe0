import { BoundedMap } from "../domain/bounded-map.ts";
import { type Visibility, viewerKey } from "../domain/visibility.ts";
import { devicesRevision } from "./changes/viewers.ts";
import type { Reader } from "./database.ts";
import type { DeviceMarks, KnownDevices, TimePage } from "./pages.ts";
import { limitTo, type Sql, sql } from "./sql.ts";
import { devicesInSight, seesAll } from "./visible.ts";

/**
 * How a page of a list by time is searched in the account's rows, part by part. Rows that the viewer does not see, or that a
 * filter does not want, are skipped.
 */
export interface AccountWalk {
  /** Of the first part, which is enough for most pages. Each later one is twice as long, up to the longest. */
  readonly rowsOfFirstPart: number;
  readonly rowsPerPart: number;
  /** After so many rows the devices are searched one by one, which takes as long: those of this viewer have few rows. */
  readonly maxRows: number;
  /** All devices in sight, if they are few. */
  readonly among?: KnownDevices;
}

/** Some milliseconds each: with SQLite, everybody else waits for a part. PostgreSQL works beside us. */
const rowsPerPart = { sqlite: 4_000, postgres: 16_000 } as const;
/** From this share of the account's devices on, a filter without an index is searched in the rows of all. */
const wideShare = 1 / 8;
/** Above both, few rows are skipped, and to send the devices takes longer than it saves, unless their tag need not be looked up. */
const manyDevices = 500;
const manyShare = 1 / 4;
const minRows = 1_000;
/** So many rows are skipped in the time of one, if the devices in sight are known: no row is looked up among the assignments. */
const knownPerUnknown = 7;

/** In the time in which the first row of a device is looked up so many rows are skipped; of some lists, more. */
export const leastPerDevice = 3;

/**
 * Null: the page is read in one statement, of a device or of the whole account. `isScanned`: a filter has no index, so nobody
 * knows how many rows match. `rowsPerDevice`: in the time in which a device is searched so many rows are skipped.
 */
export async function accountWalk(
  reader: Reader,
  visibility: Visibility,
  { device, count, devicesRevision }: Pick<TimePage<unknown>, "device" | "count" | "devicesRevision">,
  isScanned: boolean,
  rowsPerDevice: () => Promise<number>,
): Promise<AccountWalk | null> {
  const parts = { rowsOfFirstPart: minRows, rowsPerPart: rowsPerPart[reader.engine] };
  const whole = { ...parts, maxRows: Number.POSITIVE_INFINITY };
  if (seesAll(visibility)) return isScanned ? whole : null;
  if (device !== null) return null;
  const { seen, all, devices: known } = await sightOf(reader, visibility, devicesRevision);
  const devices = visibility.tag !== undefined || seen <= Math.max(manyDevices, all * manyShare) ? known : null;
  const among = devices === null ? {} : { among: knownDevices(reader, seen, devices) };
  if (isScanned) return { ...parts, ...among, maxRows: seen >= all * wideShare ? Number.POSITIVE_INFINITY : 0 };
  const faster = devices === null ? 1 : knownPerUnknown;
  const expected = (count * all) / Math.max(1, seen);
  const least = leastPerDevice * seen * faster;
  const byDevice = expected <= least ? least : (await rowsPerDevice()) * seen * faster;
  const longest = parts.rowsPerPart * faster;
  return {
    ...among,
    rowsOfFirstPart: Math.min(longest, Math.max(minRows, Math.ceil(1.2 * expected))),
    rowsPerPart: longest,
    maxRows: expected > byDevice ? 0 : Math.max(minRows, byDevice),
  };
}

/** Of more of them, sorting their rows for each part of a list takes as long as looking at all devices. */
const maxFew = 100;

/** The devices in sight with the tag, if there is one and they are few: no other device is looked at for its tags. */
export async function fewWithTag(
  reader: Reader,
  visibility: Visibility,
  readRevision: () => Promise<number>,
): Promise<KnownDevices | undefined> {
  if (visibility.tag === undefined) return undefined;
  const { seen, devices } = await sightOf(reader, visibility, readRevision);
  return devices === null || seen > maxFew ? undefined : knownDevices(reader, seen, devices);
}

interface Sight {
  /** How many devices the viewer sees. */
  readonly seen: number;
  /** How many the account has. It only chooses between two ways to the same rows, so it may be out of date. */
  readonly all: number;
  /** Those in sight, as text or, where that is searched faster, as marks; null: they are too many, or nothing says when they change. */
  readonly devices: string | DeviceMarks | null;
  /** By which they are valid. */
  readonly revision: number;
  readonly countedAt: number;
}

/** More of them take longer to send with each statement than they save. */
const maxKnown = 4_000;
const maxAgeMs = 60_000;
/** Some bytes a device. */
const maxLength = 16 * 1024 * 1024;
const sights = new WeakMap<object, BoundedMap<string, Sight>>();

async function sightOf(
  reader: Reader,
  visibility: Visibility,
  readRevision = () => devicesRevision(reader, visibility),
): Promise<Sight> {
  const { store = reader } = reader;
  const known = sights.get(store) ?? new BoundedMap({ max: maxLength, weigh: weightOf });
  sights.set(store, known);
  const key = `${visibility.accountId} ${viewerKey(visibility)} ${visibility.tag ?? ""}`;
  // Read before the devices: a change in between makes them newer than their revision, never older.
  const revision = await readRevision();
  const last = known.get(key);
  if (last?.revision === revision && performance.now() - last.countedAt < maxAgeMs) return last;
  const { tables, condition } = devicesInSight(visibility, null);
  const countOf = async (from: Sql) =>
    (await reader.get<{ count: number }>(sql`select count(*) as count ${from}`))?.count;
  const first = await reader.all<{ device: number }>(
    sql`select d.device from ${tables} where ${condition} ${limitTo(maxKnown + 1)}`,
  );
  const isKnown = first.length <= maxKnown;
  const seen = isKnown ? first.length : ((await countOf(sql`from ${tables} where ${condition}`)) ?? 0);
  const all = (await countOf(sql`from devices where account_id = ${visibility.accountId}`)) ?? 0;
  // Links have no counters of their own.
  const numbers = isKnown && visibility.sees !== "shared" ? first.map(({ device }) => device) : null;
  const devices = numbers && ((reader.engine === "sqlite" ? marksOf(numbers) : null) ?? numbers.join());
  const sight = { seen, all, devices, revision, countedAt: performance.now() };
  known.set(key, sight);
  return sight;
}

function weightOf(key: string, { devices }: Sight): number {
  return 200 + key.length + (typeof devices === "string" ? devices.length : (devices?.bytes.length ?? 0));
}

/** A set of fewer devices is made at once. */
const minMarked = 500;
const maxMarks = 65_536;

function marksOf(devices: readonly number[]): DeviceMarks | null {
  const [first, last] = [Math.min(...devices), Math.max(...devices)];
  if (devices.length < minMarked || last - first >= maxMarks) return null;
  const bytes = new Uint8Array(last - first + 1);
  for (const device of devices) bytes[device - first] = 1;
  return { first, bytes };
}

function knownDevices(reader: Reader, count: number, devices: string | DeviceMarks): KnownDevices {
  if (typeof devices === "string") return { count, table: tableOf(reader, devices), marks: null };
  return {
    count,
    marks: devices,
    // Only where the devices are searched one by one after all.
    get table() {
      return tableOf(reader, numbersIn(devices).join());
    },
  };
}

function numbersIn({ first, bytes }: DeviceMarks): number[] {
  const numbers: number[] = [];
  for (let index = 0; index < bytes.length; index++) if (bytes[index] === 1) numbers.push(first + index);
  return numbers;
}

function tableOf({ engine }: Reader, devices: string): Sql {
  return engine === "sqlite"
    ? sql`(select value as device from json_each(${`[${devices}]`}))`
    : sql`(select unnest(cast(${`{${devices}}`} as bigint[])) as device)`;
}
