import { type DeviceChange, formatChange, parseChange, type TrackedType } from "../domain/changes.ts";
import type { Visibility } from "../domain/visibility.ts";
import { bigint, boolean, type RowOf, text } from "./columns.ts";
import type { Reader, Transaction } from "./database.ts";
import type { DeviceOfRow } from "./fact-table.ts";
import { nothing, type Sql, sql } from "./sql.ts";
import { listed, omit, table } from "./table.ts";
import { type TimedTable, timedRows } from "./timed-rows.ts";

/**
 * The log of what transactions changed of devices' frames and facts. It says where to look, not what is there: a reader
 * gets each record as it is now. Numbers come from `raiseRevisions`.
 */
export const changeTable = table("changes", ["account_id", "number", "device"], {
  account_id: bigint,
  number: bigint,
  device: bigint,
  changed_at: bigint,
  /** As src/domain/changes.ts writes it. */
  content_json: text,
  events: boolean,
  readings: boolean,
  removals: boolean,
});

type ChangeRow = RowOf<typeof changeTable.columns>;

export interface LoggedChange {
  readonly number: number;
  readonly device: number;
  readonly deviceId: string;
  readonly imei: string;
  readonly changedAt: number;
  readonly change: DeviceChange;
}

export async function logChanges(
  tx: Transaction,
  accountId: number,
  number: number,
  changedAt: number,
  changes: readonly { readonly device: number; readonly change: DeviceChange }[],
): Promise<void> {
  const rows = changes.map(({ device, change }) => changeRow({ accountId, device, number, changedAt, change }));
  if (rows.length > 0) await tx.insertMany(changeTable, rows);
}

export function changeRow(of: {
  readonly accountId: number;
  readonly device: number;
  readonly number: number;
  readonly changedAt: number;
  readonly change: DeviceChange;
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
  };
}

const log: TimedTable = {
  name: sql`changes`,
  time: sql`r.number`,
  key: sql`r.number, r.device`,
  columns: listed(omit(changeTable.columns, "account_id", "events", "readings", "removals"), "r"),
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

/** What has changed of the devices that the viewer sees, in the order of the commits. */
export async function loggedChanges(reader: Reader, visibility: Visibility, page: ChangePage): Promise<LoggedChange[]> {
  if (page.types.size === 0) return [];
  const { after, until, count, device } = page;
  const rows = await reader.all<ChangeRow & DeviceOfRow>(
    timedRows(reader.engine, log, visibility, device, {
      fromMs: after.number,
      toMs: until + 1,
      after: { at: after.number },
      afterKey: sql`${after.number}, ${after.device}`,
      count,
      conditions: onlyAbout(page.types),
    }),
  );
  return rows.map((row) => ({
    number: row.number,
    device: row.device,
    deviceId: row.device_id,
    imei: row.imei,
    changedAt: row.changed_at,
    change: parseChange(row.content_json),
  }));
}

/** Written as in the indexes, or they are not used. */
function onlyAbout(types: ReadonlySet<TrackedType>): Sql {
  const isWithin = (...few: TrackedType[]) => [...types].every((type) => few.includes(type));
  if (isWithin("alert", "geofence_event")) return sql`and r.events`;
  if (isWithin("reading")) return sql`and r.readings`;
  return nothing;
}
