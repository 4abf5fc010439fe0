import { allTime, type DeviceChangeBuilder } from "../../src/domain/changes/device-change.ts";
import { trackedTypes } from "../../src/domain/changes/types.ts";
import { logDeviceChange, logUserChange } from "../../src/store/changes/change-writes.ts";
import { saveDrivers } from "../../src/store/fleet/drivers.ts";
import { sql } from "../../src/store/sql.ts";
import { type ApiResponse, type ApiUnderTest, keyOf, startApi } from "./api.ts";
import type { FreshDatabase } from "./engines.ts";
import { Seed, type SeededDevice, type SeededGeofence, type SeededUser } from "./seed.ts";
import { noon } from "./seed-rows.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Whose tag is in which vehicle. Two tags are nobody's. */
export const drivers = {
  van: { tag: "TAG-A1", name: "Ada Adler" },
  truck: { tag: "TAG-B2", name: "Bruno Bauer" },
  car: { tag: "TAG-C3", name: "Cleo Costa" },
  trailer: { tag: "TAG-D4", name: null },
  ferry: { tag: "TAG-F6", name: "Freya Falk" },
  barge: { tag: "TAG-G7", name: null },
} as const;
const dayNumber = Math.floor(noon / 86_400_000);

/** The window in which everything of the little world happens, as a query has it. */
export const thatDay = { from: "2026-06-15T00:00:00Z", to: "2026-06-16T00:00:00Z" };

/** When each device with positions has had two of them, and sent one without a place since. */
export const thatTime = "2026-06-15T12:17:00Z";

/** Far beyond what the tests ask for: those about limits make keys with limits of their own. */
const boundless = { limit_per_second: 1_000_000, limit_per_day: 1_000_000_000 };

/**
 * Two accounts and four people who look at them. Every name, plate and address is there once, and none is a part of
 * another, so that a leak is recognised wherever it is.
 *
 *              van   truck  car    trailer  spare       ferry  barge
 *     olga     ×     ×      ×      ×        ×
 *     anna     ×     ×
 *     ben            ×      ×               ×
 *     otto                                              ×      ×
 *
 * The trailer sent frames, but never a valid position; the spare nothing at all. Dora is disabled, and Clara's account
 * suspended: they have keys that do not work.
 */
function newWorld() {
  const seed = new Seed();
  const acme = seed.account({ name: "Acme", ...boundless });
  const olga = seed.user(acme, { role: "owner", name: "Olga Orlova", email: "olga@acme.example" });
  const anna = seed.user(acme, { name: "Anna Ahlberg", email: "anna@acme.example", last_login_at: noon + 90 });
  const ben = seed.user(acme, { name: "Ben Bakker", email: "ben@acme.example" });
  const dora = seed.user(acme, { name: "Dora Dietz", email: "dora@acme.example" });
  const van = seed.device(acme, {
    name: "Amber van",
    plate: "AC-ME 101",
    vin: "W1V9076331P412073",
    tags_json: '["cold","day shift"]',
    external_ids_json: '{"sap":"10004711"}',
    seenBy: [anna, dora],
  });
  const truck = seed.device(acme, { name: "Birch truck", plate: "AC-ME 102", seenBy: [anna, ben] });
  const car = seed.device(acme, { name: "Cedar car 100%_\\", plate: "ÄC-ẞE 103", status: "inactive", seenBy: [ben] });
  const trailer = seed.device(acme, { name: "Dune trailer", status: "blocked" });
  const spare = seed.device(acme, { name: "Elm spare", plate: "AC-ME 105", seenBy: [ben] });
  const yard = seed.geofence(acme, { name: "Yard of all", devices: [van, truck, car, trailer] });
  const harbour = seed.geofence(acme, {
    name: "Harbour of the car",
    description: "Quay 7",
    shape: "polygon",
    geometry_json: '{"type":"Polygon","coordinates":[[[13,52],[14,52],[14,53],[13,52]]]}',
    radius_m: null,
    bbox_json: "[13,52,14,53]",
    devices: [car],
  });
  const depot = seed.geofence(acme, { name: "Depot of the van", devices: [van] });
  const nobodys = seed.geofence(acme, { name: "Nobody's field" });

  const polar = seed.account({ name: "Polar", ...boundless });
  const otto = seed.user(polar, { role: "owner", name: "Otto Oldfield", email: "otto@polar.example" });
  const nils = seed.user(polar, { name: "Nils Nyman", email: "nils@polar.example" });
  const ferry = seed.device(polar, { name: "Fjord ferry", plate: "PO-LA 201", seenBy: [nils] });
  const barge = seed.device(polar, { name: "Grove barge", plate: "PO-LA 202" });
  const pier = seed.geofence(polar, { name: "Pier of the ferry", devices: [ferry, barge] });
  const closed = seed.account({ name: "Closed", ...boundless });
  const clara = seed.user(closed, { role: "owner", name: "Clara Crane", email: "clara@closed.example" });
  return {
    seed,
    accounts: { acme, polar, closed },
    users: { olga, anna, ben, dora, otto, nils, clara },
    devices: { van, truck, car, trailer, spare, ferry, barge },
    fences: { yard, harbour, depot, nobodys, pier },
  };
}

export type ViewerName = "olga" | "anna" | "ben" | "otto";
export type DeviceName = keyof ReturnType<typeof newWorld>["devices"];

export const sight: Readonly<Record<ViewerName, readonly DeviceName[]>> = {
  olga: ["van", "truck", "car", "trailer", "spare"],
  anna: ["van", "truck"],
  ben: ["truck", "car", "spare"],
  otto: ["ferry", "barge"],
};

/** Everything that was stored, as the queries should give it. */
export type ApiWorld = ReturnType<typeof newWorld> & {
  readonly rows: ReturnType<typeof fill>;
  readonly store: FreshDatabase;
  readonly api: ApiUnderTest;
  readonly keys: Readonly<Record<ViewerName, string>>;
  /** Keys that once worked, by why they do not any more. */
  readonly deadKeys: Readonly<Record<string, string>>;
  /** Olga's, from before everything was reported as changed. */
  readonly resumeAfter: string;
  /** Calls a path relative to /v1 as that viewer. */
  get(path: string, viewer?: ViewerName, headers?: Record<string, string>): Promise<ApiResponse>;
};

export async function startWorld(store: FreshDatabase): Promise<ApiWorld> {
  const { database } = store;
  const world = newWorld();
  const rows = fill(world);
  await world.seed.save(database);
  const { olga, anna, ben, otto, dora, clara } = world.users;
  await nameDrivers(database, world);
  const keys = {
    olga: await keyOf(database, olga.email),
    anna: await keyOf(database, anna.email),
    ben: await keyOf(database, ben.email),
    otto: await keyOf(database, otto.email),
  };
  const now = Date.now();
  const deadKeys = {
    expired: await keyOf(database, olga.email, { createdAt: now - hourMs, expiresAt: now - 1 }),
    revoked: await keyOf(database, olga.email, { isRevoked: true }),
    "of a disabled user": await keyOf(database, dora.email),
    "of a suspended account": await keyOf(database, clara.email),
  };
  await database.transaction(async (tx) => {
    await tx.run(sql`update users set status = 'disabled' where id = ${dora.id}`);
    await tx.run(sql`update accounts set status = 'suspended' where id = ${world.accounts.closed.id}`);
  });
  Object.assign(dora, { status: "disabled" });
  const api = await startApi(database);
  const resumeAfter = new Map<ViewerName, string>();
  for (const viewer of Object.keys(keys) as ViewerName[]) {
    resumeAfter.set(viewer, (await api.get("/changes", keys[viewer])).body.resume_after);
  }
  await changeEverything(database, world);
  const olgas = resumeAfter.get("olga") ?? "";
  // Each has a token of their own: questions are asked with Olga's, and each viewer's own is put in its place.
  const get: ApiWorld["get"] = (path, viewer = "olga", headers = {}) =>
    api.get(path.replace(olgas, resumeAfter.get(viewer) ?? ""), keys[viewer], headers);
  return { ...world, rows, store, api, keys, deadKeys, resumeAfter: olgas, get };
}

function nameDrivers(database: FreshDatabase["database"], { devices }: ReturnType<typeof newWorld>) {
  const people = Object.entries(drivers).flatMap(([name, { tag, name: person }], index) => {
    if (person === null) return [];
    const { account_id } = devices[name as DeviceName];
    return [{ account_id, id: driverIdOf(index), name: person, driver_ids_json: JSON.stringify([tag]) }];
  });
  return database.transaction((tx) => saveDrivers(tx, people, noon));
}

export function driverIdOf(index: number): string {
  return `d1d1d1d1-0000-4000-8000-00000000000${index}`;
}

/** Tells followers that everything has changed. */
function changeEverything(database: FreshDatabase["database"], { users, devices }: ReturnType<typeof newWorld>) {
  return database.transaction(async (tx) => {
    for (const name of [...sight.olga, ...sight.otto]) {
      const { account_id, device } = devices[name];
      const all = (change: DeviceChangeBuilder) => trackedTypes.reduce((of, type) => of.add(type, ...allTime), change);
      await logDeviceChange(tx, { accountId: account_id, device }, all, noon);
    }
    for (const { account_id, id } of [users.anna, users.ben, users.dora, users.nils])
      await logUserChange(tx, account_id, id, noon);
  });
}

export function stopWorld({ api }: ApiWorld): Promise<void> {
  return api.close();
}

/** Something of every kind for every device but the spare. */
function fill({ seed, users, devices, fences }: ReturnType<typeof newWorld>) {
  const { van, truck, car, trailer, ferry, barge } = devices;
  const { yard, harbour, depot, pier } = fences;
  const parts = [
    fillDevice(seed, van, depot, { acknowledgedBy: users.anna, driver: drivers.van }),
    fillDevice(seed, truck, yard, { acknowledgedBy: users.ben, driver: drivers.truck }),
    fillDevice(seed, car, harbour, { acknowledgedBy: users.olga, driver: drivers.car }),
    fillDevice(seed, trailer, yard, { acknowledgedBy: users.olga, driver: drivers.trailer, hasPosition: false }),
    fillDevice(seed, ferry, pier, { acknowledgedBy: users.otto, driver: drivers.ferry }),
    fillDevice(seed, barge, pier, { acknowledgedBy: users.otto, driver: drivers.barge }),
  ];
  return {
    frames: parts.flatMap(({ frames }) => frames),
    positions: parts.flatMap(({ positions }) => positions),
    trips: parts.flatMap(({ trips }) => trips),
    stops: parts.flatMap(({ stops }) => stops),
    alerts: parts.flatMap(({ alerts }) => alerts),
    readings: parts.flatMap(({ readings }) => readings),
    crossings: parts.flatMap(({ crossings }) => crossings),
    mileage: parts.flatMap(({ mileage }) => mileage),
  };
}

/** The same moments for each, so that lists have ties to break. */
function fillDevice(
  seed: Seed,
  device: SeededDevice,
  fence: SeededGeofence,
  {
    acknowledgedBy,
    driver,
    hasPosition = true,
  }: { acknowledgedBy: SeededUser; driver: (typeof drivers)[keyof typeof drivers]; hasPosition?: boolean },
) {
  const drivenBy = { driver_id: driver.tag, driver_name: driver.name };
  const over = seed.trip(device, { started_at: noon - 30 * minuteMs, ended_at: noon, ...drivenBy });
  const underWay = seed.trip(device, { started_at: noon + 10 * minuteMs, ended_at: null });
  const stops = [
    seed.stop(device, {
      started_at: noon,
      ended_at: noon + 10 * minuteMs,
      geofence_ids: fence.id,
      trip_before_id: over.id,
      trip_after_id: underWay.id,
    }),
    seed.stop(device, { started_at: noon + 50 * minuteMs, ended_at: null, trip_before_id: underWay.id }),
  ];
  const frames = [0, 10, 20].map((minute) => seed.frame(device, { recorded_at: noon + minute * minuteMs }));
  const lost = { valid: false, reject_reason: "no_fix", latitude: null, longitude: null };
  frames.push(seed.frame(device, { recorded_at: noon + 15 * minuteMs, ...lost }));
  const alerts = [
    seed.alert(device, { occurred_at: noon, trip_id: over.id }),
    seed.alert(device, {
      occurred_at: noon + 10 * minuteMs,
      alert_type: "sos",
      severity: "critical",
      message: "The panic button was pressed",
      ended_at: null,
      value: null,
      threshold: null,
      unit: null,
      acknowledged_at: noon + hourMs,
      acknowledged_by: acknowledgedBy.id,
    }),
    seed.alert(device, {
      occurred_at: noon + 20 * minuteMs,
      alert_type: "geofence_enter",
      severity: "info",
      geofence_id: fence.id,
      trip_id: underWay.id,
    }),
  ];
  // Never shown to anybody.
  seed.alert(device, { occurred_at: noon + 5 * minuteMs, withdrawn: true });
  const none = { temperature_mc: null, humidity_milli_percent: null };
  const readings = [0, 10].flatMap((minute) => {
    const recorded_at = noon + minute * minuteMs;
    const tyre = { ...none, sensor: "axle_1_wheel_2", axle: 1, wheel: 2, pressure_pa: 352_000 };
    return [
      seed.reading(device, { recorded_at }),
      seed.reading(device, { recorded_at, kind: "fuel", ...none, sensor: "tank_1", level_milli_percent: 62_500 }),
      seed.reading(device, { recorded_at, kind: "tyre", ...tyre }),
    ];
  });
  const crossings = [
    seed.crossing(device, fence, { occurred_at: noon + 10 * minuteMs }),
    seed.crossing(device, fence, { occurred_at: noon + 40 * minuteMs, event_type: "exit", dwell_ms: 30 * minuteMs }),
  ];
  const mileage = [dayNumber - 1, dayNumber].map((day) => seed.mileage(device, { day }));
  seed.alertSettings(device, [
    { alertType: "speeding", enabled: true, severity: null, parameters: { limit_kmh: 80 }, geofenceIds: [fence.id] },
  ]);
  const live = {
    recorded_at: noon + 20 * minuteMs,
    trip_id: underWay.id,
    geofence_ids_json: JSON.stringify([fence.id]),
  };
  if (!hasPosition) seed.sign(device);
  const positions = hasPosition ? [seed.position(device, live)] : [];
  return { frames, positions, trips: [over, underWay], stops, alerts, readings, crossings, mileage };
}

/** Of rows that tell of a device those that the viewer sees. */
export function seenBy<Row extends { readonly device_id: string }>(
  { devices }: ApiWorld,
  viewer: ViewerName,
  rows: readonly Row[],
): Row[] {
  const ids = new Set(sight[viewer].map((name) => devices[name].id));
  return rows.filter((row) => ids.has(row.device_id));
}
