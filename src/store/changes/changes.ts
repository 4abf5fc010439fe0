import { mention, parseChange } from "../../domain/changes/change-text.ts";
import type { DeviceChange } from "../../domain/changes/device-change.ts";
import { type TrackedType, trackedTypes } from "../../domain/changes/types.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { RowOf } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import type { DeviceOfRow } from "../fact-table.ts";
import type { DeviceIdentity } from "../fleet/devices.ts";
import { listOf, nothing, type Sql, sql } from "../sql.ts";
import { listed } from "../table.ts";
import { type TimedTable, timedRows } from "../timed-rows.ts";
import { isNotRemoved } from "../visible.ts";
import {
  type ChangePlace,
  changeRows,
  changeTable,
  entriesIn,
  entryColumns,
  type LogEntry,
  type NewChange,
} from "./change-entries.ts";

export interface LoggedChange extends LogEntry {
  readonly deviceId: string;
  readonly imei: string;
  readonly change: DeviceChange;
}

export async function logChanges(
  tx: Transaction,
  accountId: number,
  number: number,
  changedAt: number,
  changes: readonly NewChange[],
): Promise<void> {
  if (changes.length > 0) await tx.insertMany(changeTable, changeRows({ accountId, number, changedAt }, changes));
}

const log: TimedTable = {
  name: sql`changes`,
  time: sql`r.number`,
  key: sql`r.number, r.device`,
  columns: listed(entryColumns, "r"),
};

export interface ChangePage {
  /** The change before the first. */
  readonly after: ChangePlace;
  readonly until: number;
  readonly device: number | null;
  readonly types: ReadonlySet<TrackedType>;
  readonly count: number;
}

/** Of the next entries, `count` at most, those that are about the types, and the last of all; null: there are no more. */
export interface ChangesFound {
  readonly found: readonly LoggedChange[];
  readonly last: ChangePlace | null;
}

const nothingFound: ChangesFound = { found: [], last: null };

type FoundRow = Omit<RowOf<typeof entryColumns>, "content"> & DeviceOfRow & { readonly content: string | null };

/** Rows of an account that are read together: each may have dozens of entries. */
const maxRows = 100;
/** How far to search at a time, so that no statement takes long. */
const numbersPerSearch = 10_000;

/** What has changed of the devices that the viewer sees, in the order of the commits. */
export async function loggedChanges(reader: Reader, visibility: Visibility, page: ChangePage): Promise<ChangesFound> {
  if (page.types.size === 0) return nothingFound;
  const { after, count, device } = page;
  const isOwner = visibility.sees === "account";
  // Of one device, an owner's entries are searched in the account's; a sub-account's are found by their device.
  const until = isOwner && device !== null ? Math.min(page.until, after.number + numbersPerSearch) : page.until;
  const most = isOwner ? Math.min(count, maxRows) : count;
  const rows = await reader.all<FoundRow>(
    timedRows(reader.engine, { ...log, columns: columnsAbout(page.types) }, visibility, isOwner ? null : device, {
      fromMs: after.number,
      toMs: until + 1,
      after: { at: after.number },
      afterKey: sql`${after.number}, ${after.device}`,
      count: most,
      conditions: sql`${onlyAbout(page.types)} ${isOwner ? mayBeOf(device) : sql`and r.by_device`}`,
    }),
  );
  const { entries, isCut } = firstEntries(rows, after, count);
  const wanted = entries.filter(
    (entry) => (device === null || entry.device === device) && [...page.types].some((type) => isAbout(entry, type)),
  );
  const found = await withDevices(reader, visibility, rows, wanted);
  if (isCut) return { found, last: entries.at(-1)?.place ?? null };
  const last = rows.at(-1);
  if (last !== undefined && rows.length === most) return { found, last: { number: last.number, device: last.device } };
  return { found, last: until < page.until ? { number: until, device: Number.MAX_SAFE_INTEGER } : null };
}

function firstEntries(rows: readonly FoundRow[], after: ChangePlace, count: number) {
  const entries: LogEntry[] = [];
  for (const { content, ...row } of rows) {
    if (content === null) continue;
    for (const entry of entriesIn({ ...row, content })) {
      // The row was begun.
      if (entry.number === after.number && entry.place.device <= after.device) continue;
      if (entries.length === count) return { entries, isCut: true };
      entries.push(entry);
    }
  }
  return { entries, isCut: false };
}

/** With what was read of the device beside a row of its own. Those of rows of several are looked up. */
async function withDevices(
  reader: Reader,
  { accountId }: Visibility,
  rows: readonly FoundRow[],
  entries: readonly LogEntry[],
): Promise<LoggedChange[]> {
  const devices = new Map(rows.map(({ device, device_id: id, imei }) => [device, { id, imei }]));
  const unknown = entries.filter(({ device }) => !devices.has(device)).map(({ device }) => device);
  const others = await reader.all<DeviceIdentity>(sql`
    select d.device, d.id, d.imei from devices d
    where d.account_id = ${accountId} and d.device in ${listOf(unknown)} and ${isNotRemoved}`);
  for (const { device, id, imei } of others) devices.set(device, { id, imei });
  return entries.flatMap((entry) => {
    const device = devices.get(entry.device);
    const change = parseChange(entry.text, entry.changedAt);
    return device === undefined ? [] : [{ ...entry, deviceId: device.id, imei: device.imei, change }];
  });
}

function isAbout({ text }: LogEntry, type: TrackedType): boolean {
  return text.includes(mention(type));
}

/** The content only of rows about these types: most of the others would be read for nothing. */
function columnsAbout(types: ReadonlySet<TrackedType>): Sql {
  if (types.size === trackedTypes.length) return log.columns;
  const isWanted = [...types]
    .map((type) => sql`r.content like ${`%${mention(type)}%`}`)
    .reduce((all, one) => sql`${all} or ${one}`);
  return sql`r.number, r.device, r.changed_at, case when ${isWanted} then r.content end as content`;
}

/** Rows of the device alone, and those of several that may include it. */
function mayBeOf(device: number | null): Sql {
  return device === null ? nothing : sql`and (r.device = ${device} or r.device between ${-device} and -1)`;
}

/** Written as in the indexes, or they are not used. */
function onlyAbout(types: ReadonlySet<TrackedType>): Sql {
  const isWithin = (...few: TrackedType[]) => [...types].every((type) => few.includes(type));
  if (isWithin("alert", "geofence_event")) return sql`and r.events`;
  if (isWithin("reading")) return sql`and r.readings`;
  return nothing;
}
