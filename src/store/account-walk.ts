import { BoundedMap } from "../domain/bounded-map.ts";
import { type Visibility, viewerKey } from "../domain/visibility.ts";
import type { Reader } from "./database.ts";
import type { TimePage } from "./pages.ts";
import { sql } from "./sql.ts";
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
}

/** Some milliseconds each: with SQLite, everybody else waits for a part. PostgreSQL works beside us. */
const rowsPerPart = { sqlite: 4_000, postgres: 16_000 } as const;
/** Whether a device has a tag is found out in the time in which a row is skipped. */
const rowsPerTag = 1;
/** From this share of the account's devices on, a filter without an index is searched in the rows of all. */
const wideShare = 1 / 8;
const minRows = 1_000;

/**
 * Null: the page is read in one statement, of a device, of the whole account, or device by device. `isScanned`: a filter has no
 * index, so nobody knows how many rows match. `rowsPerDevice`: in the time in which a device is searched so many rows are skipped.
 */
export async function accountWalk(
  reader: Reader,
  visibility: Visibility,
  { device, count }: Pick<TimePage<unknown>, "device" | "count">,
  isScanned: boolean,
  rowsPerDevice: number,
): Promise<AccountWalk | null> {
  const parts = { rowsOfFirstPart: minRows, rowsPerPart: rowsPerPart[reader.engine] };
  const whole = { ...parts, maxRows: Number.POSITIVE_INFINITY };
  if (seesAll(visibility)) return isScanned ? whole : null;
  if (device !== null) return null;
  const { seen, all, candidates } = await sizeOfSight(reader, visibility);
  if (isScanned) return seen >= all * wideShare ? whole : null;
  const expected = (count * all) / Math.max(1, seen);
  const byDevice = rowsPerDevice * seen + (visibility.tag === undefined ? 0 : rowsPerTag * candidates);
  return expected > byDevice ? null : { ...parts, maxRows: Math.max(minRows, byDevice) };
}

interface SightSize {
  /** How many devices the viewer sees. */
  readonly seen: number;
  /** Among how many those with its tag are searched. */
  readonly candidates: number;
  /** How many the account has. */
  readonly all: number;
  readonly countedAt: number;
}

/** They only choose between two ways to the same rows, so they may be out of date. */
const maxAgeMs = 60_000;
const sizes = new BoundedMap<string, SightSize>({ max: 10_000 });

async function sizeOfSight(reader: Reader, visibility: Visibility): Promise<SightSize> {
  const { tag, ...anyTag } = visibility;
  const { accountId } = visibility;
  const key = `${accountId} ${viewerKey(visibility)} ${tag ?? ""}`;
  const known = sizes.get(key);
  if (known && performance.now() - known.countedAt < maxAgeMs) return known;
  const inSight = devicesInSight(visibility, null);
  const untagged = devicesInSight(anyTag, null);
  const row = await reader.get<Omit<SightSize, "countedAt">>(sql`select
    (select count(*) from ${inSight.tables} where ${inSight.condition}) as seen,
    (select count(*) from ${untagged.tables} where ${untagged.condition}) as candidates,
    (select count(*) from devices where account_id = ${accountId}) as "all"`);
  const size = { seen: 0, candidates: 0, all: 0, ...row, countedAt: performance.now() };
  sizes.set(key, size);
  return size;
}
