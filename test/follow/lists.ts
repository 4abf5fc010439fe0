import { expect } from "bun:test";

/** What a follower may follow, as `types` of `/changes` names it. */
export const changeTypes = [
  "device",
  "position",
  "trip",
  "stop",
  "alert",
  "reading",
  "geofence",
  "geofence_event",
  "mileage",
  "user",
  "alert_settings",
  "driver",
] as const;

export type ChangeType = (typeof changeTypes)[number];

/** The types whose records belong to no device. */
export const withoutDevice: readonly ChangeType[] = ["geofence", "user", "driver"];

// biome-ignore lint/suspicious/noExplicitAny: records of many shapes, compared as text
export type Row = Readonly<Record<string, any>>;

/** All rows of a list, page by page. Null: 404. */
export type ReadList = (path: string) => Promise<Row[] | null>;

/** What every frame changes in a device or a driver, which is by itself no change of it. */
const notFollowed = ["last_seen_at", "last_position_at", "odometer_km", "last_device_id"];

/** The record without what is not followed. */
export function followed(type: ChangeType, record: Row): Row {
  if (type !== "device" && type !== "driver") return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !notFollowed.includes(name)));
}

/** What distinguishes records of a type. Where a list shows no id: what the tracker reported, which never changes. */
export function keyOf(type: ChangeType, record: Row): string {
  switch (type) {
    case "device":
    case "alert_settings":
      return record.device_id;
    case "trip":
      return record.trip_id;
    case "stop":
      return record.stop_id;
    case "alert":
      return record.alert_id;
    case "geofence":
      return record.geofence_id;
    case "geofence_event":
      return record.event_id;
    case "user":
      return record.user_id;
    case "driver":
      return record.id ?? record.driver_ids[0];
    case "mileage":
      return `${record.device_id}/${record.date}`;
    case "position":
      return reported(record, ["imei", "received_at", "valid", "reject_reason", "discontinuity"]);
    case "reading":
      return reported(record, ["imei", "received_at", "latitude", "longitude", ...computedOf(record)]);
  }
}

/** The volume is computed from the level where there is one. */
function computedOf(record: Row): string[] {
  return record.kind === "fuel" && record.level_percent !== null ? ["volume_l"] : [];
}

function reported(record: Row, judged: readonly string[]): string {
  return JSON.stringify(Object.entries(record).filter(([name]) => !judged.includes(name)));
}

const sensorKinds = ["fuel", "temperature", "tyre"];

/** `from` and `to` of the time in which everything happens, at most 31 days each. */
export interface Windows {
  readonly main: string;
  /** Where a tracker that has lost count of its weeks says it is. */
  readonly rolledOver: string;
}

export interface WantedLists {
  readonly types: readonly ChangeType[];
  /** Null: of all devices. */
  readonly deviceId: string | null;
  /** Those that may be in sight: history and settings are read one device at a time. */
  readonly deviceIds: readonly string[];
  readonly windows: Windows;
}

export type ListRows = ReadonlyMap<ChangeType, readonly Row[]>;

/** Everything that the lists show of these types. A device out of sight has nothing. */
export async function readLists(read: ReadList, wanted: WantedLists): Promise<ListRows> {
  const { types, deviceId, windows } = wanted;
  const deviceIds = deviceId === null ? wanted.deviceIds : [deviceId];
  const rows = new Map<ChangeType, readonly Row[]>();
  const list = async (path: string) => (await read(path)) ?? [];
  const narrowed = (path: string, window: string) =>
    `${path}?${window}${deviceId === null ? "" : `&device_id=${deviceId}`}`;
  const timed = (path: string) => list(narrowed(path, windows.main));
  const untimed = async (paths: readonly string[]) => {
    const all: Row[] = [];
    for (const path of paths) {
      for (const window of [windows.main, windows.rolledOver]) all.push(...(await list(narrowed(path, window))));
    }
    return all;
  };
  const readers: Record<ChangeType, () => Promise<readonly Row[]>> = {
    device: () => (deviceId === null ? list("/devices?") : list(`/devices/${deviceId}?`)),
    position: async () => {
      const all: Row[] = [];
      for (const id of deviceIds) {
        for (const window of [windows.main, windows.rolledOver]) {
          all.push(...(await list(`/positions/history?valid_only=false&device_id=${id}&${window}`)));
        }
      }
      return all;
    },
    trip: () => timed("/trips"),
    stop: () => timed("/stops"),
    alert: () => timed("/alerts"),
    reading: () => untimed(sensorKinds.map((kind) => `/sensors/${kind}`)),
    geofence: () => (deviceId === null ? list("/geofences?") : Promise.resolve([])),
    geofence_event: () => timed("/geofence-events"),
    mileage: () => timed("/reports/mileage"),
    user: () => (deviceId === null ? list("/users?") : Promise.resolve([])),
    // What a device brings into sight is not told one by one.
    driver: () => list("/drivers?"),
    alert_settings: async () => {
      const all: Row[] = [];
      for (const id of deviceIds) all.push(...(await list(`/devices/${id}/alert-settings?`)));
      return all;
    },
  };
  for (const type of types)
    rows.set(
      type,
      (await readers[type]()).map((record) => followed(type, record)),
    );
  return rows;
}

/** The rows by key. Each must be there once. */
export function byKey(type: ChangeType, rows: readonly Row[]): Map<string, Row> {
  const keyed = new Map(rows.map((row) => [keyOf(type, row), row]));
  expect(keyed.size, `rows of ${type} that can be distinguished`).toBe(rows.length);
  return keyed;
}
