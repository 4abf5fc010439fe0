// Made from the description by scripts/client-types.ts: change the description instead.

export type * from "./account.ts";
export type * from "./alerts.ts";
export type * from "./changes.ts";
export type * from "./devices.ts";
export type * from "./geofences.ts";
export type * from "./positions.ts";
export type * from "./reports.ts";
export type * from "./sensors.ts";
export type * from "./trips.ts";
export type * from "./users.ts";
