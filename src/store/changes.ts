import { formatChange, mentions, parseChange } from "../domain/changes/change-text.ts";
import type { DeviceChange } from "../domain/changes/device-change.ts";
import { type TrackedType, trackedTypes } from "../domain/changes/types.ts";
import type { Visibility } from "../domain/visibility.ts";
import { bigint, boolean, type RowOf, text } from "./columns.ts";
import type { Reader, Transaction } from "./database.ts";
import type { DeviceOfRow } from "./fact-table.ts";
import { nothing, type Sql, sql } from "./sql.ts";
import { listed, omit, table } from "./table.ts";
import { type TimedTable, timedRows } from "./timed-rows.ts";

/**
 * The log of what transactions changed of devices' frames and facts. It says where to look, not what is there: a reader
 * gets each record as it is now. Numbers come from `nextChange`.
 */
export const changeTable = table("changes", ["account_id", "number", "device"], {
  account_id: bigint,
  number: bigint,
  device: bigint,
  changed_at: bigint,
  /** As src/domain/changes/ writes it. */
  content_json: text,
  events: boolean,
  readings: boolean,
  removals: boolean,
  by_device: boolean,
});

type ChangeRow = RowOf<typeof changeTable.columns>;

export interface LoggedChange {
  readonly number: number;
  readonly device: number;
  readonly deviceId: string;
  readonly imei: string;
  readonly changedAt: number;
  readonly change: DeviceChange;
  /** The change as it is stored. */
  readonly text: string;
}

export interface NewChange {
  readonly device: number;
  readonly change: DeviceChange;
  /** Whether a sub-account sees the device. */
  readonly isShared: boolean;
}

export async function logChanges(
  tx: Transaction,
  accountId: number,
  number: number,
  changedAt: number,
  changes: readonly NewChange[],
): Promise<void> {
  const rows = changes.map((change) => changeRow({ ...change, accountId, number, changedAt }));
  if (rows.length > 0) await tx.insertMany(changeTable, rows);
}

export function changeRow(of: {
  readonly accountId: number;
  readonly device: number;
  readonly number: number;
  readonly changedAt: number;
  readonly change: DeviceChange;
  readonly isShared: boolean;
}): ChangeRow {
  const { periods, removed } = of.change;
  const isAbout = (type: TrackedType) => periods[type] !== undefined || removed[type] !== undefined;
  return {
    account_id: of.accountId,
    number: of.number,
    device: of.device,
    changed_at: of.changedAt,
    content_json: formatChange(of.change),
    events: isAbout("alert") || isAbout("geofence_event"),
    readings: isAbout("reading"),
    removals: Object.keys(removed).length > 0,
    by_device: of.isShared,
  };
}

const log: TimedTable = {
  name: sql`changes`,
  time: sql`r.number`,
  key: sql`r.number, r.device`,
  columns: listed(omit(changeTable.columns, "account_id", "events", "readings", "removals", "by_device"), "r"),
};

/** A place in the log. */
export interface ChangePlace {
  readonly number: number;
  readonly device: number;
}

export interface ChangePage {
  /** The change before the first. */
  readonly after: ChangePlace;
  /** The last number. */
  readonly until: number;
  readonly device: number | null;
  readonly types: ReadonlySet<TrackedType>;
  readonly count: number;
}

/** Of the next `count` entries those that are about the types, and the last of all; null: there are no more. */
export interface ChangesFound {
  readonly found: readonly LoggedChange[];
  readonly last: ChangePlace | null;
}

const nothingFound: ChangesFound = { found: [], last: null };

type FoundRow = Omit<ChangeRow, "content_json"> & DeviceOfRow & { readonly content_json: string | null };

/** What has changed of the devices that the viewer sees, in the order of the commits. */
export async function loggedChanges(reader: Reader, visibility: Visibility, page: ChangePage): Promise<ChangesFound> {
  if (page.types.size === 0) return nothingFound;
  const { after, count, device } = page;
  const until = isSearched(visibility, page) ? Math.min(page.until, after.number + numbersPerSearch) : page.until;
  const isShared = visibility.sees === "assigned" ? sql`and r.by_device` : nothing;
  const rows = await reader.all<FoundRow>(
    timedRows(reader.engine, { ...log, columns: columnsAbout(page.types) }, visibility, device, {
      fromMs: after.number,
      toMs: until + 1,
      after: { at: after.number },
      afterKey: sql`${after.number}, ${after.device}`,
      count,
      conditions: sql`${onlyAbout(page.types)} ${isShared}`,
    }),
  );
  const found: LoggedChange[] = [];
  for (const { number, device, device_id: deviceId, imei, changed_at: changedAt, content_json } of rows) {
    if (content_json === null) continue;
    found.push({ number, device, deviceId, imei, changedAt, change: parseChange(content_json), text: content_json });
  }
  const last = rows.length < count ? undefined : rows.at(-1);
  if (last !== undefined) return { found, last: { number: last.number, device: last.device } };
  return { found, last: until < page.until ? { number: until, device: Number.MAX_SAFE_INTEGER } : null };
}

/** How far to search at a time, so that no statement takes long. */
const numbersPerSearch = 10_000;

/** Of a device that no sub-account sees, entries are searched in the account's. */
function isSearched({ sees }: Visibility, { device }: ChangePage): boolean {
  return sees === "account" && device !== null;
}

/** The content only of entries about these types: most of the others would be read for nothing. */
function columnsAbout(types: ReadonlySet<TrackedType>): Sql {
  if (types.size === trackedTypes.length) return log.columns;
  const isWanted = [...types]
    .flatMap(mentions)
    .map((text) => sql`r.content_json like ${`%${text}%`}`)
    .reduce((all, one) => sql`${all} or ${one}`);
  return sql`r.number, r.device, r.changed_at, case when ${isWanted} then r.content_json end as content_json`;
}

/** Written as in the indexes, or they are not used. */
function onlyAbout(types: ReadonlySet<TrackedType>): Sql {
  const isWithin = (...few: TrackedType[]) => [...types].every((type) => few.includes(type));
  if (isWithin("alert", "geofence_event")) return sql`and r.events`;
  if (isWithin("reading")) return sql`and r.readings`;
  return nothing;
}
