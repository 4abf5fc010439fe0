import { type ApiWorld, type DeviceName, driverIdOf, drivers, sight, type ViewerName } from "./api-fleet.ts";
import { sortedBy } from "./route-request.ts";
import { noon } from "./seed-rows.ts";

export type Sight = Readonly<Record<ViewerName, readonly DeviceName[]>>;

/** A record that a route may show, and the device that it tells of. */
interface Shown {
  readonly identity: string;
  readonly deviceId: string | null;
}

/** What a viewer may see of the little world, worked out from who sees which device and nothing else. */
export interface InSight {
  readonly deviceIds: ReadonlySet<string>;
  readonly userIds: ReadonlySet<string>;
  /** The records of each route, in its order. */
  readonly records: Readonly<Record<string, readonly Shown[]>>;
  /** Every id, IMEI, name, plate and address that may be in an answer. */
  readonly strings: ReadonlySet<string>;
}

const devicesOfFences: Readonly<Record<keyof ApiWorld["fences"], readonly DeviceName[]>> = {
  yard: ["van", "truck", "car", "trailer"],
  harbour: ["car"],
  depot: ["van"],
  nobodys: [],
  pier: ["ferry", "barge"],
};

const recordedAt = (row: { readonly recorded_at: number }) => row.recorded_at;
const iso = (ms: number) => new Date(ms).toISOString();
const dateOf = (day: number) => iso(day * 86_400_000).slice(0, 10);

export function inSight(world: ApiWorld, viewer: ViewerName, who: Sight = sight): InSight {
  const { account_id, role, id: ownId } = world.users[viewer];
  const byId = <Row extends { readonly id: string }>(rows: readonly Row[]) => sortedBy(rows, ({ id }) => id);
  const devices = byId(who[viewer].map((name) => world.devices[name]));
  const deviceIds = new Set(devices.map(({ id }) => id));
  const fences = sortedBy(
    Object.entries(world.fences).filter(
      ([name, fence]) =>
        fence.account_id === account_id &&
        (role === "owner" ||
          devicesOfFences[name as keyof ApiWorld["fences"]].some((device) => who[viewer].includes(device))),
    ),
    ([, { id }]) => id,
  );
  const users = byId(Object.values(world.users)).filter(
    (user) => user.account_id === account_id && user.role === "sub_account" && (role === "owner" || user.id === ownId),
  );
  const of = <Row extends { readonly device_id: string }>(
    rows: readonly Row[],
    identity: (row: Row) => string,
    ...order: readonly ((row: Row) => number | string)[]
  ) =>
    sortedBy(
      rows.filter((row) => deviceIds.has(row.device_id)),
      ...order,
    ).map((row): Shown => ({ identity: identity(row), deviceId: row.device_id }));
  const { rows } = world;
  const ofDevices = devices.map(({ id }): Shown => ({ identity: id, deviceId: id }));
  // By name, which is the order of the tags here, then those that nobody has named.
  const driversSeen = sortedBy(
    Object.entries(drivers).filter(([name]) => who[viewer].includes(name as DeviceName)),
    ([, { name, tag }]) => `${name === null} ${tag}`,
  );
  const alerts = rows.alerts.filter((alert) => deviceIds.has(alert.device_id));
  const records = {
    getMe: [{ identity: ownId, deviceId: null }],
    listDevices: ofDevices,
    getDevice: ofDevices,
    getDeviceAlertSettings: ofDevices,
    listDeviceGeofences: fences.flatMap(([name, fence]) =>
      devicesOfFences[name as keyof ApiWorld["fences"]]
        .filter((device) => who[viewer].includes(device))
        .map((device): Shown => ({ identity: fence.id, deviceId: world.devices[device].id })),
    ),
    listDrivers: driversSeen.map(([, { tag }]): Shown => ({ identity: tag, deviceId: null })),
    listLatestPositions: of(
      rows.positions,
      (row) => row.device_id,
      (row) => row.device_id,
    ),
    listPositionHistory: of(
      rows.frames,
      (row) => `${row.device_id} ${iso(row.recorded_at)}`,
      recordedAt,
      (row) => row.digest,
    ),
    listPositionsAt: of(
      rows.frames.filter((row) => row.recorded_at === noon + 10 * 60_000),
      (row) => row.device_id,
      (row) => row.device_id,
    ),
    listTrips: of(
      rows.trips,
      (row) => row.id,
      (row) => row.started_at,
      (row) => row.id,
    ),
    listStops: of(
      rows.stops,
      (row) => row.id,
      (row) => row.started_at,
      (row) => row.id,
    ),
    listAlerts: of(
      rows.alerts,
      (row) => row.id,
      (row) => row.occurred_at,
      (row) => row.id,
    ),
    listSensorReadings: of(
      rows.readings,
      (row) => `${row.device_id} ${row.kind} ${iso(row.recorded_at)}`,
      recordedAt,
      (row) => row.device,
    ),
    listGeofences: fences.map(([, { id }]): Shown => ({ identity: id, deviceId: null })),
    listGeofenceEvents: of(
      rows.crossings,
      (row) => row.id,
      (row) => row.occurred_at,
      (row) => row.id,
    ),
    listUsers: users.map(({ id }): Shown => ({ identity: id, deviceId: null })),
    getUser: users.map(({ id }): Shown => ({ identity: id, deviceId: null })),
    reportMileage: of(
      rows.mileage,
      (row) => `${row.device_id} ${dateOf(row.day)}`,
      (row) => row.device_id,
      (row) => row.day,
    ),
    reportMileageSums: devices
      .filter(({ id }) => rows.mileage.some((row) => row.device_id === id))
      .map(({ id }): Shown => ({ identity: id, deviceId: id })),
  };
  const changeLists = Object.entries(listOfType).flatMap(([type, list]) =>
    records[list].map(({ identity, deviceId }): Shown => ({ identity: `${type} ${identity}`, deviceId })),
  );
  const strings = [
    // A cursor carries its viewer, an alert who has acknowledged it: their ids, and nothing more of them.
    ...Object.values(world.accounts).flatMap((account) => (account.account_id === account_id ? [account.id] : [])),
    ...[ownId, ...alerts.map((alert) => alert.acknowledged_by)],
    ...devices.flatMap(({ id, imei, name, plate, vin }) => [id, imei, name, plate, vin]),
    ...driversSeen.flatMap(([name, driver]) => [
      ...[driver.tag, driver.name],
      driverIdOf(Object.keys(drivers).indexOf(name)),
    ]),
    ...fences.flatMap(([, { id, name, description }]) => [id, name, description]),
    ...users.flatMap(({ id, name, email }) => [id, name, email]),
    ...[...records.listTrips, ...records.listStops].map(({ identity }) => identity),
    ...[...records.listAlerts, ...records.listGeofenceEvents].map(({ identity }) => identity),
  ];
  return {
    deviceIds,
    userIds: new Set(users.map(({ id }) => id)),
    records: { ...records, listChanges: changeLists },
    strings: new Set(strings.filter((text) => text !== null)),
  };
}

/** The lists whose records are reported as changed, all of them. */
const listOfType = {
  position: "listPositionHistory",
  trip: "listTrips",
  stop: "listStops",
  alert: "listAlerts",
  reading: "listSensorReadings",
  geofence_event: "listGeofenceEvents",
  mileage: "reportMileage",
  user: "listUsers",
} as const;

/** What identifies a record in an answer, as above. */
export const identityOf: Readonly<Record<string, (record: Record<string, string>) => string>> = {
  getMe: ({ user }) => (user as unknown as { readonly user_id: string }).user_id,
  listDevices: (record) => `${record.device_id}`,
  getDevice: (record) => `${record.device_id}`,
  getDeviceAlertSettings: (record) => `${record.device_id}`,
  listDeviceGeofences: (record) => `${record.geofence_id}`,
  listLatestPositions: (record) => `${record.device_id}`,
  listPositionHistory: (record) => `${record.device_id} ${record.recorded_at}`,
  listPositionsAt: (record) => `${record.device_id}`,
  listTrips: (record) => `${record.trip_id}`,
  listStops: (record) => `${record.stop_id}`,
  listAlerts: (record) => `${record.alert_id}`,
  listSensorReadings: (record) => `${record.device_id} ${record.kind} ${record.recorded_at}`,
  listGeofences: (record) => `${record.geofence_id}`,
  listGeofenceEvents: (record) => `${record.event_id}`,
  listUsers: (record) => `${record.user_id}`,
  getUser: (record) => `${record.user_id}`,
  listChanges: ({ type, record }) => {
    const list = listOfType[type as keyof typeof listOfType];
    return `${type} ${identityOf[list]?.(record as unknown as Record<string, string>)}`;
  },
  reportMileage: (record) => `${record.device_id} ${record.date}`,
  reportMileageSums: (record) => `${record.device_id}`,
  listDrivers: (record) => `${record.driver_ids?.[0]}`,
};
