import type { AlertType, Severity } from "./alert-types.ts";
import type { FenceShape } from "./geometry/fence-shape.ts";

/** The fleet as its owner describes it: ids are UUIDs in lower case, times UTC milliseconds, what is missing is null. */

export const accountStatuses = ["active", "suspended"] as const;
export const userRoles = ["owner", "sub_account"] as const;
export const userStatuses = ["active", "disabled"] as const;
export const deviceStatuses = ["active", "inactive", "blocked"] as const;

export type AccountStatus = (typeof accountStatuses)[number];
export type UserRole = (typeof userRoles)[number];
export type UserStatus = (typeof userStatuses)[number];
export type DeviceStatus = (typeof deviceStatuses)[number];

export const defaultPerSecondLimit = 10;
export const defaultPerDayLimit = 50_000;

/** How many requests a key of the account may make. */
export interface Limits {
  readonly perSecond: number;
  readonly perDay: number;
}

/** The same, and how many requests all keys of the account may make together; null: no such limit. */
export interface AccountLimits extends Limits {
  readonly accountPerDay: number | null;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly status: AccountStatus;
  readonly limits: AccountLimits;
  /** Whose days its mileage is counted by: an IANA name. */
  readonly timeZone: string;
}

export interface User {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** As written; compare with `emailKey`. */
  readonly email: string;
  /** In clear text, on its way from the file to the hash: never store it, log it or show it. */
  readonly password: string | null;
  /** Of an exported fleet, in place of the password; a secret, too. */
  readonly passwordHash: string | null;
  readonly role: UserRole;
  readonly status: UserStatus;
}

export interface Device {
  readonly id: string;
  readonly accountId: string;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
  readonly status: DeviceStatus;
  readonly vin: string | null;
  readonly vehicleMake: string | null;
  readonly vehicleModel: string | null;
  readonly vehicleYear: number | null;
  readonly vehicleType: string | null;
  readonly trackerModel: string | null;
  /** What the tracker's clock shows (tracker-clock.ts); null: UTC. */
  readonly trackerClock: string | null;
  readonly fuelTankCapacityL: number | null;
  readonly tags: readonly string[];
  /** Its tags over time, in ascending time; null: as they are stored. */
  readonly tagVersions: readonly TagVersion[] | null;
  readonly externalIds: Readonly<Record<string, string>>;
  /** The sub-accounts that see the device. */
  readonly userIds: readonly string[];
}

export interface TagVersion {
  readonly validFrom: number;
  readonly tags: readonly string[];
}

export type Geofence = FenceShape & {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly description: string | null;
  readonly color: string | null;
  readonly deviceIds: readonly string[];
  /** From when this version holds; null: from the moment it is stored, or always if it is the first. */
  readonly validFrom: number | null;
};

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface AlertRule {
  readonly alertType: AlertType;
  readonly enabled: boolean;
  /** Null: the type's own, which rises with the value. */
  readonly severity: Severity | null;
  readonly parameters: Readonly<Record<string, Json>>;
  readonly geofenceIds: readonly string[];
}

/** Whom rules are set for: one device, the devices with a tag, or all devices of an account. */
export type RulesScope =
  | { readonly for: "device"; readonly deviceId: string }
  | { readonly for: "tag"; readonly accountId: string; readonly tag: string }
  | { readonly for: "account"; readonly accountId: string };

export interface AlertSettings {
  readonly scope: RulesScope;
  readonly rules: readonly AlertRule[];
  /** As for a geofence. */
  readonly validFrom: number | null;
}
