import type { AlertRule } from "./fleet.ts";
import type { Place } from "./geometry/distance.ts";
import type { FenceArea } from "./geometry/fence-area.ts";
import type { Zone } from "./time/time-zone.ts";
import type { Version } from "./versions.ts";

/** What the rules need to know of a device besides its frames. */
export interface DeviceContext {
  readonly fuelTankCapacityL: number | null;
  /** Whose days its mileage is counted by. */
  readonly zone: Zone;
  /** In ascending time. */
  readonly alertRules: readonly Version<readonly AlertRule[]>[];
  readonly fences: DeviceFences;
}

/** A fence as it was for one device at one moment. */
export interface FenceInForce {
  readonly id: string;
  readonly name: string;
  readonly area: FenceArea;
  /** Since when it has had this shape; -Infinity for the first version, which also holds for all time before it. */
  readonly versionFrom: number;
  /** Since when the device has been assigned without a break; -Infinity for the first version. */
  readonly assignedFrom: number;
  /** When the device was first assigned to it, even if it was unassigned in between. */
  readonly firstAssignedFrom: number;
}

/** The fences a device is assigned to, over time. */
export interface DeviceFences {
  /** Those in force at the moment that may come within a margin of the way between two places (or of one place). */
  near(at: number, from: Place, to: Place, marginMetres: number): readonly FenceInForce[];
  /** The fence as it is in force for this device at the moment; null if it is not assigned then. */
  find(fenceId: string, at: number): FenceInForce | null;
  /** When a version of one of them last came into force; from then on each is as it is now. */
  readonly unchangedSince: number;
}
