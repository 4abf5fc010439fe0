import type { Account, AlertSettings, Device, Geofence, User } from "../../domain/fleet.ts";
import type { FrameLines } from "./frame-lines.ts";

/** A record and its line number, for error messages. */
export interface OnLine<T> {
  readonly line: number;
  readonly record: T;
}

export interface FleetFile {
  readonly accounts: readonly OnLine<Account>[];
  readonly users: readonly OnLine<User>[];
  readonly devices: readonly OnLine<Device>[];
  readonly geofences: readonly OnLine<Geofence>[];
  readonly alertSettings: readonly OnLine<AlertSettings>[];
  /**
   * By fence: the removed devices that it has from then on, by number. No line can name them, so others keep those that they
   * had at the time.
   */
  readonly hiddenMembers?: ReadonlyMap<string, readonly number[]>;
  readonly frames: FrameLines;
  /** By description, such as `device field "colour"`: the first line with it, and how many lines have it. */
  readonly unknownFields: ReadonlyMap<string, { readonly line: number; readonly count: number }>;
}
