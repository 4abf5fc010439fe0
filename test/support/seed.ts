import type { AlertRule } from "../../src/domain/fleet.ts";
import { formatReported, type Reported, reportedFields } from "../../src/domain/reported.ts";
import { trackerKey } from "../../src/domain/text/identifiers.ts";
import { deviceSearchText } from "../../src/domain/text/search-text.ts";
import { type Visibility, visibilityOf } from "../../src/domain/visibility.ts";
import type { Database, Row } from "../../src/store/database.ts";
import type { AlertRow } from "../../src/store/facts/alerts.ts";
import type { GeofenceEventRow } from "../../src/store/facts/geofence-events.ts";
import type { MileageRow } from "../../src/store/facts/mileage.ts";
import type { StopRow } from "../../src/store/facts/stops.ts";
import type { TripRow } from "../../src/store/facts/trips.ts";
import type { DeviceRow } from "../../src/store/fleet/devices.ts";
import type { VisibleGeofenceRow } from "../../src/store/fleet/geofences.ts";
import type { SubAccountRow } from "../../src/store/fleet/users.ts";
import type { LatestPositionRow } from "../../src/store/frames/positions.ts";
import type { ReadingRow } from "../../src/store/frames/readings.ts";
import { beginFleets } from "./fleet-revisions.ts";
import { fleetRows } from "./fleet-rows.ts";
import { columnsOf, type FrameRow, type PositionRow, reportOf, storedFrameOf } from "./frame-rows.ts";
import { hourMs, noon } from "./seed-rows.ts";
import { seedTables } from "./seed-tables.ts";
import { type KeyedFrame, putFrames } from "./stored-frames.ts";
import { putReadings, type SeededReading } from "./stored-readings.ts";
import { trackingRows } from "./tracking-rows.ts";
import { show } from "./viewers.ts";

export interface SeededAccount {
  readonly account_id: number;
  /** The public id. */
  readonly id: string;
}

export interface SeededUser extends SubAccountRow {
  readonly account_id: number;
  readonly role: "owner" | "sub_account";
  readonly visibility: Visibility;
}

/** As a query gives it, with what the seed did to it so far: `odometer_m` and so on follow its position. */
export type SeededDevice = DeviceRow;

export interface SeededGeofence extends VisibleGeofenceRow {
  readonly account_id: number;
}

/** What a row may say otherwise than an ordinary one. What it says of its device is the seed's to know. */
type Overrides<Seeded> = Partial<Omit<Seeded, "device_id" | "imei">>;

/** A frame may be given by what its tracker reports, each field by its name. */
type FrameOverrides<Seeded> = Overrides<Seeded> & Partial<Reported>;

/** What sensors of each kind measure. */
const measured = {
  fuel: {},
  temperature: { temperature_mc: 4_500, humidity_milli_percent: 61_000 },
  tyre: { axle: 1, wheel: 2 },
} as const;

type TableName = keyof typeof seedTables;

/**
 * Rows put straight into the tables, for tests and benchmarks. Every method gives back the row as a query of the store
 * should show it, so that a test can compare. Nothing is stored before `save`, which may be called again and again.
 *
 *     const seed = new Seed();
 *     const acme = seed.account();
 *     const anna = seed.user(acme);
 *     const van = seed.device(acme, { name: "Van", seenBy: [anna] });
 *     const trip = seed.trip(van, { ended_at: null });
 *     await seed.save(database);
 *
 * Ids and numbers are the same in every run. Public ids do not ascend, as they do not in life.
 */
export class Seed {
  readonly #pending = new Map<TableName, Row[]>();
  readonly #viewers = new Map<string, { account_id: number; user_id: string }>();
  readonly #usersByAccount = new Map<number, SeededUser[]>();
  readonly #usersByDevice = new Map<number, SeededUser[]>();
  #frames: KeyedFrame[] = [];
  #readings: SeededReading[] = [];
  #count = 0;

  account(
    overrides: { readonly id?: string; readonly name?: string; readonly status?: string } & {
      readonly limit_per_second?: number;
      readonly limit_per_day?: number;
      readonly time_zone?: string;
      readonly earlier_time_zones?: string;
    } = {},
  ): SeededAccount {
    const number = this.#next();
    // Well above what the tables themselves give out, so that a fleet may be loaded beside.
    const account = { account_id: 100_000 + number, id: uuid("ac", number), ...overrides };
    this.#add("accounts", {
      name: "Acme",
      status: "active",
      limit_per_second: 1000,
      limit_per_day: 1_000_000,
      time_zone: "UTC",
      earlier_time_zones: "",
      created_at: noon,
      updated_at: noon,
      ...account,
    });
    return account;
  }

  /** A sub-account, unless its role says otherwise. */
  user(account: SeededAccount, overrides: Partial<Omit<SeededUser, "account_id" | "visibility">> = {}): SeededUser {
    const number = this.#next();
    const user = {
      ...fleetRows.user.ordinary,
      account_id: account.account_id,
      id: uuid("0b", number),
      role: "sub_account" as const,
      name: `User ${number}`,
      email: `User.${number}@example.com`,
      ...overrides,
    };
    const { device_count, ...row } = user;
    this.#add("users", {
      ...row,
      email_key: user.email.toLowerCase(),
      password_hash: null,
      password_managed_by: "file",
    });
    const seeded = { ...user, visibility: visibilityOf({ ...user, accountId: user.account_id }) };
    listIn(this.#usersByAccount, account.account_id).push(seeded);
    return seeded;
  }

  device(
    account: SeededAccount,
    overrides: Overrides<Omit<DeviceRow, "account_id" | "device">> & {
      readonly imei?: string;
      readonly seenBy?: readonly SeededUser[];
    } = {},
  ): SeededDevice {
    const { seenBy = [], ...changes } = overrides;
    const number = this.#next();
    const device: DeviceRow = {
      ...fleetRows.device.ordinary,
      account_id: account.account_id,
      device: 100_000 + number,
      id: uuid("de", number),
      imei: `35${String(number).padStart(13, "0")}`,
      name: `Truck ${number}`,
      ...changes,
    };
    const { account_id, id, imei } = device;
    this.#add("directory", { device: device.device, account_id, imei, id });
    this.#add("trackerNames", { tracker_key: trackerKey(imei), account_id, device: device.device, name_change: 0 });
    const { odometer_m, last_seen_at, last_position_at, ...row } = device;
    this.#add("devices", { ...row, search_text: deviceSearchText(device) });
    for (const user of seenBy) this.assign(device, user);
    return device;
  }

  assign(device: SeededDevice, user: SeededUser): void {
    const { account_id, id, imei } = device;
    this.#add("assignments", { account_id, user_id: user.id, id, imei, device: device.device, created_at: noon });
    Object.assign(user, { device_count: user.device_count + 1 });
    listIn(this.#usersByDevice, device.device).push(user);
    this.#see(user);
  }

  /** The live position. A second one takes the place of the first. */
  position(device: SeededDevice, overrides: FrameOverrides<LatestPositionRow> = {}): LatestPositionRow {
    const { name, plate } = device;
    const ordinary = { ...trackingRows.latestPosition.ordinary, ...placeOf(device), name, plate };
    const position = withReport(ordinary, overrides);
    const { recorded_at, received_at } = position;
    const { odometer_km } = reportOf(position);
    const odometer_m = odometer_km === null ? null : Math.round(odometer_km * 1000);
    this.#addPosition(device, { ...position, odometer_m, last_seen_at: received_at });
    Object.assign(device, { odometer_m, last_seen_at: received_at, last_position_at: recorded_at });
    return position;
  }

  /** A device that sent something, but no valid position so far. */
  sign(device: SeededDevice, last_seen_at = noon): void {
    this.#addPosition(device, { last_seen_at });
    Object.assign(device, { last_seen_at });
  }

  frame(device: SeededDevice, overrides: FrameOverrides<FrameRow> = {}): FrameRow {
    const ordinary = columnsOf(trackingRows.position.ordinary.frame.stored());
    const frame = withReport({ ...placeOf(device), ...ordinary, digest: this.#next() }, overrides);
    this.#frames.push({ ...storedFrameOf(frame), accountId: device.account_id, device: device.device });
    return frame;
  }

  /** An hour long unless it says when it ended: null, if it has not. */
  trip(device: SeededDevice, overrides: Overrides<TripRow> = {}): TripRow {
    const started_at = overrides.started_at ?? noon;
    const ended_at = overrides.ended_at === undefined ? started_at + hourMs : overrides.ended_at;
    const trip = {
      ...trackingRows.trip.ordinary,
      ...placeOf(device),
      id: uuid("7a", this.#next()),
      started_at,
      ended_at,
      ...(ended_at === null
        ? { end_reason: null, end_latitude_e7: null, end_longitude_e7: null }
        : { duration_ms: ended_at - started_at }),
      ...overrides,
    };
    const { driver_names: _, ...stored } = trip;
    this.#addOf("trips", device, stored);
    return trip;
  }

  /** An hour long unless it says when it ended: null, if it has not. */
  stop(device: SeededDevice, overrides: Overrides<StopRow> = {}): StopRow {
    const started_at = overrides.started_at ?? noon;
    const ended_at = overrides.ended_at === undefined ? started_at + hourMs : overrides.ended_at;
    const stop = {
      ...trackingRows.stop.ordinary,
      ...placeOf(device),
      id: uuid("57", this.#next()),
      started_at,
      ended_at,
      trip_before_id: uuid("7a", this.#next()),
      duration_ms: ended_at === null ? hourMs : ended_at - started_at,
      ...overrides,
    };
    this.#addOf("stops", device, { ...stop });
    return stop;
  }

  /** Acknowledged if it says when and by whom. */
  alert(device: SeededDevice, overrides: Overrides<AlertRow> & { readonly withdrawn?: boolean } = {}): AlertRow {
    const { withdrawn = false, ...changes } = overrides;
    const alert = { ...trackingRows.alert.ordinary, ...placeOf(device), id: uuid("a1", this.#next()), ...changes };
    const { acknowledged_at, acknowledged_by, ...row } = alert;
    this.#addOf("alerts", device, { ...row, withdrawn, acknowledged: acknowledged_at !== null });
    if (acknowledged_at !== null) {
      this.#addOf("acknowledgements", device, { alert_id: alert.id, acknowledged_at, acknowledged_by });
    }
    return alert;
  }

  reading(device: SeededDevice, overrides: Overrides<Omit<ReadingRow, "device">> = {}): ReadingRow {
    const { tank_capacity_l, ...ordinary } = trackingRows.reading.ordinary;
    const key = { ...placeOf(device), device: device.device, digest: this.#next() };
    const reading = { ...ordinary, ...key, ...measured[overrides.kind ?? "temperature"], ...overrides };
    this.#readings.push({ ...reading, account_id: device.account_id });
    return reading;
  }

  /** A fence and its first version, which holds from the beginning. */
  geofence(
    account: SeededAccount,
    overrides: Partial<VisibleGeofenceRow> & { readonly devices?: readonly SeededDevice[] } = {},
  ): SeededGeofence {
    const { devices = [], ...changes } = overrides;
    const number = this.#next();
    const fence = { ...fleetRows.geofence.ordinary, id: uuid("fe", number), name: `Fence ${number}`, ...changes };
    const { account_id } = account;
    this.#add("geofences", { ...fence, account_id });
    return this.geofenceVersion({ ...fence, account_id }, { valid_from: 0, devices });
  }

  /** A later version of the fence, with all of its devices. */
  geofenceVersion(
    fence: SeededGeofence,
    overrides: Partial<VisibleGeofenceRow> & { readonly valid_from: number; readonly devices: readonly SeededDevice[] },
  ): SeededGeofence {
    const { devices, valid_from, ...changes } = overrides;
    const version = { ...fence, ...changes };
    const { account_id, id: geofence_id } = version;
    this.#add("geofenceVersions", { ...version, geofence_id, valid_from, created_at: noon });
    for (const { device } of devices) {
      this.#add("geofenceAssignments", { account_id, geofence_id, valid_from, device, assigned_at: noon });
    }
    return version;
  }

  crossing(device: SeededDevice, fence: SeededGeofence, overrides: Overrides<GeofenceEventRow> = {}): GeofenceEventRow {
    const event = {
      ...trackingRows.geofenceEvent.ordinary,
      ...placeOf(device),
      id: uuid("e7", this.#next()),
      geofence_id: fence.id,
      geofence_name: fence.name,
      ...overrides,
    };
    this.#addOf("geofenceEvents", device, event);
    return event;
  }

  mileage(device: SeededDevice, overrides: Overrides<MileageRow> = {}): MileageRow {
    const row = {
      ...trackingRows.mileage.ordinary,
      ...placeOf(device),
      name: device.name,
      plate: device.plate,
      ...overrides,
    };
    this.#addOf("mileage", device, { ...row });
    return row;
  }

  alertSettings(device: SeededDevice, rules: readonly AlertRule[], validFrom = 0, createdAt = noon): void {
    const rules_json = JSON.stringify(rules);
    this.#addOf("alertSettings", device, { valid_from: validFrom, rules_json, created_at: createdAt });
  }

  /** Stores what was added since the last time, in one transaction. */
  async save(database: Database): Promise<void> {
    await database.transaction(async (tx) => {
      for (const [name, table] of Object.entries(seedTables)) {
        const rows = this.#pending.get(name as TableName);
        if (rows) await tx.insertMany(table, rows);
        if (rows && name === "accounts")
          await beginFleets(
            tx,
            rows.map((row) => Number(row.account_id)),
          );
      }
      await putFrames(tx, this.#frames, this.#count);
      await putReadings(tx, this.#readings);
      await show(tx, this.#viewers.values(), "live positions");
      await show(tx, this.#deviceViewers(), "devices");
    });
    this.#pending.clear();
    this.#frames = [];
    this.#readings = [];
    this.#viewers.clear();
  }

  /** Everyone in the accounts that anything was added to. */
  #deviceViewers() {
    const rows = [...this.#pending.values()].flat();
    const accounts = new Set([
      ...rows.map((row) => row.account_id as number),
      ...this.#frames.map(({ accountId }) => accountId),
      ...this.#readings.map(({ account_id }) => account_id),
    ]);
    const users = [...accounts].flatMap((account) => this.#usersByAccount.get(account) ?? []);
    return users.map(({ account_id, id }) => ({ account_id, user_id: id }));
  }

  #next(): number {
    return ++this.#count;
  }

  #add(table: TableName, row: Row): void {
    listIn(this.#pending, table).push(row);
  }

  #addOf(table: TableName, { account_id, device }: SeededDevice, row: Row): void {
    this.#add(table, { ...row, account_id, device });
  }

  #addPosition(device: SeededDevice, row: Row): void {
    this.#addOf("latestPositions", device, { ...row, revision: this.#next() });
    const owners = (this.#usersByAccount.get(device.account_id) ?? []).filter((user) => user.role === "owner");
    for (const user of [...owners, ...(this.#usersByDevice.get(device.device) ?? [])]) this.#see(user);
  }

  #see({ account_id, id }: SeededUser): void {
    this.#viewers.set(id, { account_id, user_id: id });
  }
}

/** The row with what is said otherwise, the fields of the report packed into their text. */
function withReport<Row extends PositionRow>(row: Row, overrides: FrameOverrides<Row>): Row {
  const isReported = (name: string) => (reportedFields as readonly string[]).includes(name);
  const [reported, others] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(overrides).filter(([name]) => isReported(name) === wanted)),
  );
  const changed = { ...row, ...others };
  return { ...changed, fields_json: formatReported({ ...reportOf(changed), ...reported }) };
}

function placeOf({ id, imei }: SeededDevice) {
  return { device_id: id, imei };
}

function listIn<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** The multiplication spreads the numbers over the whole range; the end of the id tells kind and number to the eye. */
function uuid(kind: string, number: number): string {
  const spread = (Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
  return `${spread}-0000-4000-8000-${kind.padEnd(4, "0")}${String(number).padStart(8, "0")}`;
}
