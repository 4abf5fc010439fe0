/**
 * The order of a list of several devices. `"device"`: by the id of the device, then by time. Else by time; what decides between
 * records of the same time is a field of theirs, or the number of the device.
 */
type OrderOfList = "device" | { readonly tie: "trip_id" | "stop_id" | "alert_id" | "event_id" | "number" };

/** A list that can be had as a whole: one of the API's routes. */
export interface ExportList {
  /** Relative to /v1. `{kind}` is a kind of sensor. */
  readonly path: string;
  /** What narrows it, by the names of the command line's options: the API's parameter of each. Empty: it is in the path. */
  readonly filters: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  /** By what time its records are in a window. Null: the list has no window. */
  readonly window: "moments" | "days" | null;
  readonly timeField?: string;
  readonly order?: OrderOfList;
  /** Whether a record may be in two windows: it is one of the first then. */
  readonly mayOverlap?: boolean;
}

export const exportLists = {
  devices: { path: "/devices", filters: { imei: "imei", status: "status", search: "search" }, window: null },
  drivers: { path: "/drivers", filters: {}, window: null },
  latest: { path: "/positions/latest", filters: { imei: "imei" }, window: null },
  positions: {
    path: "/positions/history",
    filters: { imei: "imei", rejected: "valid_only" },
    required: ["imei"],
    window: "moments",
    timeField: "recorded_at",
  },
  "positions-at": {
    path: "/positions/at",
    filters: { time: "time", "max-age": "max_age_s", imei: "imei" },
    required: ["time"],
    window: null,
  },
  trips: {
    path: "/trips",
    filters: { imei: "imei", "driver-id": "driver_id" },
    window: "moments",
    timeField: "started_at",
    order: { tie: "trip_id" },
    mayOverlap: true,
  },
  stops: {
    path: "/stops",
    filters: { imei: "imei", "geofence-id": "geofence_id", "min-duration": "min_duration_s" },
    window: "moments",
    timeField: "started_at",
    order: { tie: "stop_id" },
    mayOverlap: true,
  },
  alerts: {
    path: "/alerts",
    filters: { imei: "imei", severity: "severity", "alert-type": "alert_type", acknowledged: "acknowledged" },
    window: "moments",
    timeField: "occurred_at",
    order: { tie: "alert_id" },
  },
  readings: {
    path: "/sensors/{kind}",
    filters: { imei: "imei", kind: "" },
    required: ["kind"],
    window: "moments",
    timeField: "recorded_at",
    order: { tie: "number" },
  },
  geofences: { path: "/geofences", filters: {}, window: null },
  "geofence-events": {
    path: "/geofence-events",
    filters: { imei: "imei" },
    window: "moments",
    timeField: "occurred_at",
    order: { tie: "event_id" },
  },
  users: { path: "/users", filters: {}, window: null },
  mileage: {
    path: "/reports/mileage",
    filters: { imei: "imei" },
    window: "days",
    timeField: "date",
    order: "device",
  },
} as const satisfies Record<string, ExportList>;

export type ExportListName = keyof typeof exportLists;

export const exportListNames = Object.keys(exportLists) as readonly ExportListName[];
