import type { FrameLines } from "./frame-lines.ts";
import type { RecordOf, RecordType } from "./records.ts";

/** A record and its line number, for error messages. */
export interface OnLine<T> {
  readonly line: number;
  readonly record: T;
}

interface FleetRecords {
  readonly accounts: readonly OnLine<RecordOf<"account">>[];
  readonly users: readonly OnLine<RecordOf<"user">>[];
  readonly devices: readonly OnLine<RecordOf<"device">>[];
  readonly drivers: readonly OnLine<RecordOf<"driver">>[];
  readonly geofences: readonly OnLine<RecordOf<"geofence">>[];
  readonly alertSettings: readonly OnLine<RecordOf<"alert_settings">>[];
}

export interface FleetFile extends FleetRecords {
  /**
   * By fence: the removed devices that it has from then on, by number. No line can name them, so others keep those that they
   * had at the time.
   */
  readonly hiddenMembers?: ReadonlyMap<string, readonly number[]>;
  readonly frames: FrameLines;
  /** By description, such as `device field "colour"`: the first line with it, and how many lines have it. */
  readonly unknownFields: ReadonlyMap<string, { readonly line: number; readonly count: number }>;
}

const listOfType: Readonly<Record<RecordType, keyof FleetRecords>> = {
  account: "accounts",
  user: "users",
  device: "devices",
  driver: "drivers",
  geofence: "geofences",
  alert_settings: "alertSettings",
};

export function emptyRecords(): FleetRecords {
  return { accounts: [], users: [], devices: [], drivers: [], geofences: [], alertSettings: [] };
}

/** `record` was read by the schema of its type, which TypeScript cannot follow through a table. */
export function addRecord(records: FleetRecords, type: RecordType, line: number, record: unknown): void {
  (records[listOfType[type]] as OnLine<unknown>[]).push({ line, record });
}
