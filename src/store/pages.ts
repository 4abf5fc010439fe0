import type { Sql } from "./sql.ts";

export interface KnownDevices {
  readonly count: number;
  /** Of one column, `device`. */
  readonly table: Sql;
  /** The same on SQLite. Null: they are few, or too far apart. */
  readonly marks: DeviceMarks | null;
}

/** A set of devices: of each number from the first one on, 1 if it is one of them. */
export interface DeviceMarks {
  readonly first: number;
  readonly bytes: Uint8Array;
}

/** Where a page of a list in time order begins and ends. The window is half-open: `fromMs <= t < toMs`. */
export interface TimePage<After> {
  /** The internal number of the one requested device; null: all that the viewer sees. */
  readonly device: number | null;
  readonly fromMs: number;
  readonly toMs: number;
  /** The key of the last row of the page before. */
  readonly after: After | null;
  readonly count: number;
  /** Whether a viewer who does not see all devices has the account's rows searched, and not each device: see account-walk.ts. */
  readonly walksAccount?: boolean;
  /** All devices that the viewer sees, if they are few: see account-walk.ts. It only saves looking at others. */
  readonly among?: KnownDevices | undefined;
  /** The revision of the devices that the viewer sees, if it was read already. */
  readonly devicesRevision?: () => Promise<number>;
  /** Whether it is a later part of a page: what was under way when it begins is in an earlier one. */
  readonly isLaterPart?: boolean;
}

/** The key of a row in a list by time, ties by public id. */
export interface TimeKey {
  readonly at: number;
  readonly id: string;
}

/** Where a page of a list in ascending public id begins. */
export interface IdPage {
  readonly after: string | null;
  readonly count: number;
}
