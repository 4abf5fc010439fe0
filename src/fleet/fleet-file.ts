import type { Account, AlertSettings, Device, Geofence, User } from "../domain/fleet.ts";
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
  readonly frames: FrameLines;
  /** By description, such as `device field "colour"`: the first line with it, and how many lines have it. */
  readonly unknownFields: ReadonlyMap<string, { readonly line: number; readonly count: number }>;
}
