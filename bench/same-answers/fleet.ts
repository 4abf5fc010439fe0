import { formatInstant } from "../../src/domain/time.ts";
import { people } from "../../src/simulator/fleet/records.ts";
import { createWorld } from "../../src/simulator/world.ts";
import { randomDrive } from "../../test/support/random-drive.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const firstDay = Date.UTC(2026, 8, 14);
const generous = { per_second: 1_000, per_day: 1_000_000 };

/** Of all requests, so many can the rival's keys make in a day: a little less than they try. */
const rivalShare = 0.04;

export interface FleetOptions {
  readonly seed: number;
  readonly vehicles: number;
  /** How many will be made in all, over two days. */
  readonly requests: number;
}

/** A frame as `POST /frames` takes it. */
export interface SentFrame {
  readonly imei: string;
  readonly recorded_at: string;
  readonly [field: string]: unknown;
}

/** What is sent at one moment. */
export interface SentMessage {
  readonly at: number;
  readonly frames: readonly SentFrame[];
}

export interface Person {
  readonly email: string;
  readonly password: string;
}

export interface ComparedFleet {
  /** The clock when the first command runs. */
  readonly beginAt: number;
  /** The fleet file, with the frames of the first day. */
  readonly records: readonly object[];
  /** A later change of fences, settings and names, and the suspension of an account. */
  readonly edits: readonly object[];
  readonly messages: readonly SentMessage[];
  readonly accounts: { readonly main: string; readonly rival: string };
  readonly people: {
    readonly owner: Person;
    readonly north: Person;
    readonly cold: Person;
    readonly rival: Person;
    readonly closed: Person;
  };
  readonly devices: readonly { readonly id: string; readonly imei: string }[];
  readonly fences: readonly string[];
  readonly users: readonly string[];
}

/**
 * The simulator's company, a rival whose trackers do all that real ones do wrong, and an account that will be suspended. The
 * first day is loaded from files; the rest is sent, with the clock at the moment of each message.
 */
export function comparedFleet({ seed, vehicles, requests }: FleetOptions): ComparedFleet {
  const world = createWorld({ seed, vehicles, from: firstDay });
  const sentFrom = firstDay + dayMs;
  const sentUntil = sentFrom + Math.min(2, vehicles / 4) * 20 * hourMs;
  const rita = { email: "rita@rival.example", password: "a password of Rita's" };
  const carl = { email: "carl@closed.example", password: "a password of Carl's" };
  const rival = { account_id: uuid(1) };
  const rivalDevices = [10, 11, 12].map((number) => ({ id: uuid(number), imei: `35630704200${9_990 + number}` }));
  const yard = { type: "Point", coordinates: [13.4, 52.5] };
  const closed = { type: "account", id: uuid(6), name: "Closed", limits: generous };
  const fleet: readonly object[] = [
    ...world.fleet.map((record) => ("limits" in record ? { ...record, limits: generous } : record)),
    {
      type: "account",
      id: uuid(1),
      name: "Rival",
      limits: { ...generous, account_per_day: 1 + Math.floor(requests * rivalShare) },
    },
    { type: "user", id: uuid(2), ...rival, name: "Rita", ...rita, role: "owner" },
    {
      type: "user",
      id: uuid(3),
      ...rival,
      name: "Gone",
      email: "gone@rival.example",
      role: "sub_account",
      status: "disabled",
    },
    ...rivalDevices.map(({ id, imei }, index) => ({
      type: "device",
      id,
      ...rival,
      imei,
      name: ['=Rival "van", 1', "Ünïcode 🚚", "van\u2028x"][index],
      status: ["active", "inactive", "active"][index],
      fuel_tank_capacity_l: 70,
      user_ids: index === 0 ? [uuid(3)] : [],
    })),
    {
      type: "geofence",
      id: uuid(5),
      ...rival,
      name: "Yard",
      shape: "circle",
      geometry: yard,
      radius_m: 2_000,
      device_ids: rivalDevices.map(({ id }) => id),
    },
    { type: "alert_settings", device_id: uuid(10), rules: rivalRules },
    closed,
    { type: "user", id: uuid(7), account_id: uuid(6), name: "Carl", ...carl, role: "owner" },
    { type: "device", id: uuid(8), account_id: uuid(6), imei: "356307042008888", name: "Closed van" },
  ];
  const loaded = [...world.messages(firstDay, sentFrom)].flatMap(({ arrivesAt, frames }) =>
    frames.map((frame) => ({ type: "frame", ...frame, received_at: formatInstant(arrivesAt) })),
  );
  const ofWorld = [...world.messages(sentFrom, sentUntil)].map(({ arrivesAt, frames }) => ({
    at: arrivesAt,
    frames: frames.map(({ received_at: _, ...frame }) => frame as SentFrame),
  }));
  const ofRival = rivalDevices.flatMap(({ imei }, index) =>
    drive(imei, seed + index, 200 * vehicles, sentFrom, sentUntil),
  );
  return {
    beginAt: sentFrom,
    records: [...fleet, ...loaded],
    edits: [...edits(world.fleet, sentFrom - 10 * hourMs), { ...closed, status: "suspended" }],
    messages: [...ofWorld, ...ofRival].sort((one, other) => one.at - other.at),
    accounts: { main: world.accountId, rival: uuid(1) },
    people: { ...people, rival: rita, closed: carl },
    devices: [...idsOf(world.fleet, "device"), ...rivalDevices] as { id: string; imei: string }[],
    fences: [...idsOf(world.fleet, "geofence").map(({ id }) => id), uuid(5)],
    users: [...idsOf(world.fleet, "user").map(({ id }) => id), uuid(2), uuid(3)],
  };
}

const rivalRules = [
  { alert_type: "speeding", severity: "critical", parameters: { limit_kmh: 50 } },
  { alert_type: "idling", parameters: { after_s: 120 } },
  { alert_type: "geofence_exit", geofence_ids: [uuid(5)] },
  { alert_type: "device_offline", parameters: { after_s: 3_600 } },
  { alert_type: "temperature_high", parameters: { above_c: 10 } },
];

function drive(imei: string, seed: number, count: number, from: number, until: number): SentMessage[] {
  return randomDrive({ imei, seed, count, beginAt: from })
    .filter(({ recordedAt }) => (recordedAt ?? until) < until)
    .map(({ recordedAt, receivedAt, sensors, ...frame }) => ({
      at: receivedAt,
      frames: [
        { ...frame, recorded_at: formatInstant(recordedAt ?? receivedAt), sensors: sensors as readonly unknown[] },
      ],
    }));
}

/** A fence is moved, another made larger from a moment in the past, a vehicle renamed and its rules changed. */
function edits(fleet: readonly object[], moment: number): object[] {
  const [circle, other] = fleet.filter((record) => "shape" in record && record.shape === "circle") as {
    radius_m: number;
  }[];
  const [device] = idsOf(fleet, "device");
  const valid_from = formatInstant(moment);
  return [
    { ...circle, radius_m: (circle?.radius_m ?? 0) * 1.5, valid_from },
    { ...other, name: "Moved", radius_m: 900 },
    { ...device, name: "Renamed van", fuel_tank_capacity_l: 55 },
    {
      type: "alert_settings",
      device_id: device?.id,
      rules: [{ alert_type: "speeding", parameters: { limit_kmh: 40 } }],
      valid_from,
    },
  ];
}

function idsOf(fleet: readonly object[], type: string): { id: string; imei?: string }[] {
  return fleet.filter((record) => "type" in record && record.type === type) as { id: string }[];
}

function uuid(number: number): string {
  return `1f0d0c1e-0000-4000-8000-${String(number).padStart(12, "0")}`;
}
