import type { AlertType, Severity } from "./alert-types.ts";

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
