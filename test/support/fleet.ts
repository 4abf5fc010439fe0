import { loadFleet } from "../../src/fleet/apply/load.ts";
import { collectFleet } from "../../src/fleet/parse/parse.ts";
import type { Database } from "../../src/store/database.ts";

export type FleetRecord = Readonly<Record<string, unknown>>;

/** When tests load, unless they say otherwise. Two loads an hour apart leave two different stamps. */
export const loadedAt = Date.UTC(2026, 2, 1);
export const hourMs = 3_600_000;

export function uuid(number: number): string {
  return `0b5f1c1e-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/**
 * Two accounts with all kinds of records. In the first one Ann sees the van and the truck, Bob the truck, and nobody but
 * the owner the car. Take the values, or spread it with changes.
 */
export const smallFleet = {
  acme: { type: "account", id: uuid(1), name: "Acme", limits: { per_second: 20, per_day: 1000 } },
  olga: user(11, { name: "Olga", email: "olga@acme.test", role: "owner" }),
  ann: user(12, { name: "Ann", email: "ann@acme.test" }),
  bob: user(13, { name: "Bob", email: "bob@acme.test" }),
  van: device(21, { name: "Van", plate: "AC ME 1", user_ids: [uuid(12)] }),
  truck: device(22, { name: "Truck", plate: "AC ME 2", user_ids: [uuid(12), uuid(13)] }),
  car: device(23, { name: "Car" }),
  depot: circle(31, { name: "Depot", device_ids: [uuid(21), uuid(22)] }),
  rules: {
    type: "alert_settings",
    device_id: uuid(21),
    rules: [{ alert_type: "geofence_exit", geofence_ids: [uuid(31)] }, { alert_type: "speeding" }],
  },
  rival: { type: "account", id: uuid(2), name: "Rival" },
  rita: user(14, { account_id: uuid(2), name: "Rita", email: "rita@rival.test", role: "owner" }),
  rivalVan: device(24, { account_id: uuid(2), name: "Van" }),
  rivalYard: circle(32, { account_id: uuid(2), name: "Yard", device_ids: [uuid(24)] }),
} satisfies Record<string, FleetRecord>;

export function user(number: number, fields: FleetRecord = {}) {
  const email = `user${number}@acme.test`;
  const own = { id: uuid(number), account_id: uuid(1), name: `User ${number}`, email, role: "sub_account" };
  return { type: "user", ...own, ...fields };
}

export function device(number: number, fields: FleetRecord = {}) {
  const imei = String(356_307_042_000_000 + number);
  return { type: "device", id: uuid(number), account_id: uuid(1), imei, name: `Device ${number}`, ...fields };
}

export function circle(number: number, fields: FleetRecord = {}) {
  const shape = { shape: "circle", geometry: { type: "Point", coordinates: [13.4, 52.5] }, radius_m: 100 };
  return { type: "geofence", id: uuid(number), account_id: uuid(1), name: `Fence ${number}`, ...shape, ...fields };
}

/** An account with an owner, a sub-account that sees every second device, and as many devices as asked for. */
export function largeFleet(devices: number): FleetRecord[] {
  const people = [smallFleet.acme, smallFleet.olga, smallFleet.ann];
  const fleet = Array.from({ length: devices }, (_, index) =>
    device(1_000_000 + index, { plate: `P ${index}`, user_ids: index % 2 === 0 ? [smallFleet.ann.id] : [] }),
  );
  return [...people, ...fleet];
}

export function fleetText(records: Iterable<FleetRecord>): string {
  return [...records].map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** Loads records as a file with one line for each. */
export async function load(
  database: Database,
  records: Iterable<FleetRecord>,
  now = loadedAt,
  onWarning?: (warning: string) => void,
  takeOver = false,
) {
  const file = collectFleet(() => "frames are loaded by the program alone");
  for (const [index, record] of [...records].entries()) file.add(index + 1, JSON.stringify(record));
  return loadFleet(database, file.finish(), now, { takeOver, ...(onWarning && { onWarning }) });
}
