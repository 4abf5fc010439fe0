import {
  formatChange,
  formatGroup,
  type GroupedChange,
  isShort,
  parseGroup,
} from "../../domain/changes/change-text.ts";
import type { DeviceChange } from "../../domain/changes/device-change.ts";
import type { TrackedType } from "../../domain/changes/types.ts";
import { bigint, boolean, type RowOf, text } from "../columns.ts";
import { pick, table } from "../table.ts";

/**
 * The log of what transactions changed of devices' frames and facts. It says where to look, not what is there: a reader
 * gets each record as it is now. Numbers come from `nextChange`.
 *
 * An entry is what one transaction changed of one device. Short entries of devices that no sub-account sees are in rows of
 * several, since there is one with almost every frame. Others have rows of their own.
 */
export const changeTable = table("changes", ["account_id", "number", "device"], {
  account_id: bigint,
  number: bigint,
  /** Of a row of several devices: the least of them, negated. */
  device: bigint,
  changed_at: bigint,
  /** As src/domain/changes/ writes it. */
  content: text,
  events: boolean,
  readings: boolean,
  removals: boolean,
  by_device: boolean,
});

type ChangeRow = RowOf<typeof changeTable.columns>;

export const entryColumns = pick(changeTable.columns, "number", "device", "changed_at", "content");

/** A place in the log: after all entries with a lesser number, and of those with the same number after a lesser device. */
export interface ChangePlace {
  readonly number: number;
  /** Negated if the entry is in a row of several. So these are the first of a number. */
  readonly device: number;
}

export interface LogEntry {
  readonly place: ChangePlace;
  readonly number: number;
  readonly device: number;
  readonly changedAt: number;
  /** Its content, for `parseChange`. */
  readonly text: string;
}

/** In the order of their places. */
export function entriesIn({ number, device, changed_at: changedAt, content }: RowOf<typeof entryColumns>): LogEntry[] {
  if (device > 0) return [{ place: { number, device }, number, device, changedAt, text: content }];
  return parseGroup(content).map((one) => ({
    place: { number, device: -one.device },
    number,
    device: one.device,
    changedAt,
    text: one.text,
  }));
}

export interface NewChange {
  readonly device: number;
  readonly change: DeviceChange;
  /** Whether a sub-account sees the device. */
  readonly isShared: boolean;
}

export interface NumberedCommit {
  readonly accountId: number;
  readonly number: number;
  readonly changedAt: number;
}

export function changeRowOf(commit: NumberedCommit, { device, change, isShared }: NewChange): ChangeRow {
  return rowOf(commit, { device, content: formatChange(change, commit.changedAt), changes: [change], isShared });
}

/** A row that is not much longer stays within a page of the embedded store. */
const maxGroupLength = 800;

export function changeRows(commit: NumberedCommit, changes: readonly NewChange[]): ChangeRow[] {
  const rows: ChangeRow[] = [];
  let group = new EntryGroup();
  const endGroup = () => {
    if (group.entries.length > 0) rows.push(group.row(commit));
    group = new EntryGroup();
  };
  for (const change of changes.toSorted((one, other) => other.device - one.device)) {
    const text = change.isShared ? null : formatChange(change.change, commit.changedAt);
    if (text === null || !isShort(text)) rows.push(changeRowOf(commit, change));
    else if (group.add(change, text) > maxGroupLength) endGroup();
  }
  endGroup();
  return rows;
}

class EntryGroup {
  readonly entries: GroupedChange[] = [];
  readonly #changes: DeviceChange[] = [];
  #length = 0;

  /** Returns about how long its content is. */
  add({ device, change }: NewChange, text: string): number {
    this.entries.push({ device, text });
    this.#changes.push(change);
    this.#length += text.length + 2;
    return this.#length;
  }

  row(commit: NumberedCommit): ChangeRow {
    const device = -(this.entries.at(-1)?.device ?? 0);
    return rowOf(commit, { device, content: formatGroup(this.entries), changes: this.#changes, isShared: false });
  }
}

function rowOf(
  { accountId, number, changedAt }: NumberedCommit,
  row: {
    readonly device: number;
    readonly content: string;
    readonly changes: readonly DeviceChange[];
    readonly isShared: boolean;
  },
): ChangeRow {
  const { device, content, changes, isShared } = row;
  const isAbout = (...types: TrackedType[]) =>
    changes.some(({ periods, removed }) => types.some((type) => periods[type] ?? removed[type]));
  return {
    account_id: accountId,
    number,
    device,
    changed_at: changedAt,
    content,
    events: isAbout("alert", "geofence_event"),
    readings: isAbout("reading"),
    removals: changes.some(({ removed }) => Object.keys(removed).length > 0),
    by_device: isShared,
  };
}
