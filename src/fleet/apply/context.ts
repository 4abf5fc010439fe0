import type { Transaction } from "../../store/database.ts";
import type { DirectoryEntry, FleetDeviceRow } from "../../store/fleet/device-writes.ts";
import type { UserRow } from "../../store/fleet/users.ts";
import type { Consequences } from "../consequences/consequences.ts";
import type { FleetFile } from "../parse/fleet-file.ts";

/** Called during long work, with how much of it is done. */
export type OnProgress = (step: string, done: number, total: number) => void;

/** What each type of record is applied with. */
export interface ApplyContext {
  readonly tx: Transaction;
  readonly file: FleetFile;
  readonly now: number;
  readonly consequences: Consequences;
  readonly onProgress: OnProgress;
}

/** Public id of an account to its internal number. */
export type AccountNumbers = ReadonlyMap<string, number>;

/** The users that a file names, as they are after loading. */
export type UsersById = ReadonlyMap<string, UserRow>;

/** The devices that a file names, as they are after loading. */
export type DirectoryById = ReadonlyMap<string, DirectoryEntry>;

/** The devices of the file while they are applied, by id. */
export interface DeviceRows {
  /** As they are now. */
  readonly rows: ReadonlyMap<string, FleetDeviceRow>;
  /** As they were before this load. */
  readonly stored: ReadonlyMap<string, FleetDeviceRow>;
  /** Those that are new or whose record this load has changed. */
  readonly saved: ReadonlySet<string>;
}

/** What loading did to the records of one type. */
export interface Tally {
  added: number;
  changed: number;
  unchanged: number;
}

export function emptyTally(): Tally {
  return { added: 0, changed: 0, unchanged: 0 };
}

interface WantedRow<Row> {
  readonly line: number;
  readonly row: Row;
}

/** Finds the rows that are new or that differ from the store, each with what is stored. */
export function difference<Row extends { readonly id: string }, Stored extends object>(
  wanted: readonly WantedRow<Row>[],
  stored: ReadonlyMap<string, Stored>,
) {
  const tally = emptyTally();
  const changes = wanted.flatMap(({ line, row }) => {
    const before = stored.get(row.id);
    const outcome = before === undefined ? "added" : hasFields(before, row) ? "unchanged" : "changed";
    tally[outcome]++;
    return outcome === "unchanged" ? [] : [{ line, row, before }];
  });
  return { changes, toSave: changes.map(({ row }) => row), tally };
}

/** Whether every field of `wanted` has the same value in `stored`. */
function hasFields(stored: object, wanted: object): boolean {
  return Object.entries(wanted).every(([name, value]) => (stored as Record<string, unknown>)[name] === value);
}

export function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

export function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

export function numbersOf(rows: readonly { readonly device: number }[]): number[] {
  return rows.map(({ device }) => device);
}
