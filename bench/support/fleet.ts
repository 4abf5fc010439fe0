import { createKey } from "../../src/access/keys.ts";
import { formatReported, type Reported } from "../../src/domain/reported.ts";
import { allScopes } from "../../src/domain/scopes.ts";
import { foreignFrame } from "../../src/intake/formats/foreign.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { accountViewer } from "../../src/store/changes/viewers.ts";
import type { BulkTable, Database, Row } from "../../src/store/database.ts";
import { accountTable } from "../../src/store/fleet/accounts.ts";
import { deviceTable, directoryTable } from "../../src/store/fleet/devices.ts";
import { trackerNameTable } from "../../src/store/fleet/tracker-name-writes.ts";
import { userTable } from "../../src/store/fleet/users.ts";
import { latestTable } from "../../src/store/frames/latest.ts";
import { sql } from "../../src/store/sql.ts";
import { beginFleets } from "../../test/support/fleet-revisions.ts";
import { storeFrames } from "./store-frames.ts";

const accountId = 1;
/** The account's public id. */
export const benchAccountId = "00000000-0000-4000-8000-000000000000";
const ownerId = "00000000-0000-4000-8000-000000000001";
const createdAt = Date.UTC(2026, 0, 1);
/** Frames end here, ten seconds apart. */
export const lastFrameAt = Date.UTC(2026, 5, 15, 12);
const frameGapMs = 10_000;
const rowsPerCommit = 20_000;

export interface BenchFleet {
  readonly key: string;
  /** The devices that have frames. */
  readonly deviceIds: readonly string[];
  /** Between the first frame of a device and its last. */
  readonly spanMs: number;
}

/** Enough devices share the frames that the rows of a page are not in SQLite's cache already. */
export const devicesWithFrames = 20;

/** One account with many devices, all with a live position, and some devices with many frames. */
export async function seedBenchFleet(database: Database, devices: number, frames: number): Promise<BenchFleet> {
  await save(database, accountTable, [
    {
      account_id: accountId,
      id: benchAccountId,
      name: "Bench",
      status: "active",
      limit_per_second: 2_000_000_000,
      limit_per_day: 2_000_000_000,
      time_zone: "UTC",
      earlier_time_zones: "",
      created_at: createdAt,
      updated_at: createdAt,
    },
  ]);
  await database.transaction((tx) => beginFleets(tx, [accountId]));
  await save(database, userTable, [
    {
      id: ownerId,
      account_id: accountId,
      role: "owner",
      name: "Owner",
      email: "owner@bench.test",
      email_key: "owner@bench.test",
      password_managed_by: "file",
      status: "active",
      created_at: createdAt,
      updated_at: createdAt,
    },
  ]);
  const numbers = Array.from({ length: devices }, (_, index) => index + 1);
  await save(database, directoryTable, numbers.map(directoryRow));
  await save(database, trackerNameTable, numbers.map(nameRow));
  await save(database, deviceTable, numbers.map(deviceRow));
  await save(database, latestTable, numbers.map(latestRow));
  await database.transaction((tx) =>
    tx.run(
      sql`insert into viewer_revisions (account_id, user_id, revision) values (${accountId}, ${accountViewer}, 1)`,
    ),
  );
  const framesEach = Math.floor(frames / devicesWithFrames);
  await storeFrames(database, accountId, framesInTurns(numbers.slice(0, devicesWithFrames), framesEach));
  const request = { email: "owner@bench.test", name: "bench", scopes: allScopes };
  const { secret } = await createKey(
    database,
    { ...request, perSecond: null, perDay: null, expiresAt: null },
    createdAt,
  );
  const deviceIds = numbers.slice(0, devicesWithFrames).map(idOf);
  return { key: secret, deviceIds, spanMs: framesEach * frameGapMs };
}

async function save(database: Database, table: BulkTable, rows: readonly Row[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsPerCommit) {
    await database.transaction((tx) => tx.insertMany(table, rows.slice(start, start + rowsPerCommit)));
  }
}

/** Scattered, like UUIDs: the rows of a page must not be neighbours by chance. */
export function idOf(number: number): string {
  const scattered = Math.imul(number, 0x9e3779b1) >>> 0;
  return `${scattered.toString(16).padStart(8, "0")}-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

export function imeiOf(number: number): string {
  return String(860_000_000_000_000 + number);
}

function directoryRow(number: number): Row {
  return { device: number, account_id: accountId, imei: imeiOf(number), id: idOf(number) };
}

function nameRow(number: number): Row {
  return { tracker_key: imeiOf(number), account_id: accountId, device: number, name_change: 0 };
}

function deviceRow(number: number): Row {
  return {
    account_id: accountId,
    device: number,
    id: idOf(number),
    imei: imeiOf(number),
    name: `Truck ${number}`,
    plate: `B-OD ${number}`,
    status: "active",
    vin: "WDB9066331S123456",
    vehicle_make: "Volvo",
    vehicle_model: "FH",
    vehicle_year: 2024,
    vehicle_type: "truck",
    tracker_model: "FMC130",
    fuel_tank_capacity_l: 400,
    tags_json: '["north","night"]',
    external_ids_json: `{"erp":"${number}"}`,
    search_text: `TRUCK ${number}`,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

function odometerOf(recordedAt: number): number {
  return 120_000_000 + Math.floor(recordedAt / frameGapMs);
}

function receiptOf(recordedAt: number): number {
  return recordedAt + 1_347;
}

/** Each device is elsewhere: equal blocks of frames would be opened once for all of them. */
export function reportAt(recordedAt: number, device: number): Reported {
  const step = Math.floor(recordedAt / frameGapMs) + device * 7_919;
  return {
    latitude: (525_200_000 + (step % 99_991)) / 1e7,
    longitude: (134_049_540 + (step % 88_883)) / 1e7,
    altitude_m: (34_100 + (step % 900)) / 1e3,
    speed_kmh: (50_000 + (step % 40_000)) / 1e3,
    heading_deg: ((step * 137) % 360_000) / 1e3,
    accuracy_m: 4.3,
    satellites: 11,
    hdop: 0.9,
    ignition: true,
    odometer_km: odometerOf(recordedAt) / 1e3,
    battery_percent: 98,
    external_voltage_v: (13_800 + (step % 300)) / 1e3,
    event: null,
  };
}

function latestRow(number: number): Row {
  const recordedAt = lastFrameAt - number * 1_000;
  return {
    recorded_at: recordedAt,
    received_at: receiptOf(recordedAt),
    fields_json: formatReported(reportAt(recordedAt, number)),
    discontinuity: false,
    odometer_m: odometerOf(recordedAt),
    account_id: accountId,
    device: number,
    revision: 1,
    last_seen_at: lastFrameAt,
    ignition_since: lastFrameAt - 3_600_000,
    trip_id: null,
    geofence_ids_json: "[]",
  };
}

/** Of all devices in turns, as frames come in. */
export function* framesInTurns(devices: readonly number[], count: number): Generator<IncomingFrame> {
  for (let index = 0; index < count; index++) {
    const recordedAt = lastFrameAt - (count - index) * frameGapMs;
    for (const device of devices) {
      yield foreignFrame(imeiOf(device), recordedAt, receiptOf(recordedAt), reportAt(recordedAt, device));
    }
  }
}
