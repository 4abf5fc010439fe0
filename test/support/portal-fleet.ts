import { formatInstant } from "../../src/domain/time/time.ts";
import { device, type FleetRecord, hourMs, user, uuid } from "./fleet.ts";
import { drive, loopOf, type Stretch } from "./portal-drive.ts";

export const portalPassword = "a fine long password";
export const ownerEmail = "olga@nordlicht.test";
export const subAccountEmail = "sam@nordlicht.test";
/** Sees one vehicle, which therefore is in the middle of the map. */
export const oneVehicleEmail = "mira@nordlicht.test";
/** Has nothing yet: no vehicle, no key, no alert. */
export const newcomerEmail = "nils@nordlicht.test";

/** The vehicle whose day of yesterday is complete, with trips, stops, and frames that are not believed. */
export const playedBack = { id: uuid(101), name: "Atlas 01", plate: "HH NL 101" };

/** What the sub-account sees. */
export const ofSubAccount = [uuid(102), uuid(103)];
const onlyVehicle = { id: uuid(110), of: uuid(13) };

const dayMs = 24 * hourMs;
const minuteMs = 60_000;

const places: readonly (readonly [name: string, latitude: number, longitude: number])[] = [
  ["Atlas", 53.55, 9.99],
  ["Boreas", 52.52, 13.4],
  ["Ceres", 51.34, 12.37],
  ["Delta", 50.94, 6.96],
  ["Echo", 52.37, 4.9],
  ["Fjord", 55.68, 12.57],
];

type State = "moving" | "idling" | "stopped" | "offline";
const states: readonly State[] = ["moving", "stopped", "moving", "idling", "moving", "stopped", "offline", "moving"];

/** A fleet as a customer has one, as of that moment: 24 vehicles in all states, fences, alerts, and one whole day. */
export function portalFleet(now: number): FleetRecord[] {
  const people = [
    { type: "account", id: uuid(1), name: "Nordlicht Logistics", limits: { per_second: 50, per_day: 100_000 } },
    user(11, { name: "Olga Brandt", email: ownerEmail, password: portalPassword, role: "owner" }),
    user(12, { name: "Sam Okafor", email: subAccountEmail, password: portalPassword }),
    user(13, { name: "Mira Lund", email: oneVehicleEmail, password: portalPassword }),
    user(14, { name: "Nils Berg", email: newcomerEmail, password: portalPassword }),
  ];
  const vehicles = Array.from({ length: 24 }, (_, index) => vehicleOf(index));
  const rules = [
    { alert_type: "speeding", parameters: { limit_kmh: 90 } },
    { alert_type: "geofence_exit", geofence_ids: [uuid(31)] },
    { alert_type: "idling" },
  ];
  return [
    ...people,
    ...vehicles,
    { ...fence(31, "Depot Hamburg"), shape: "circle", geometry: point(9.99, 53.55), radius_m: 2500 },
    { ...fence(32, "Port of Lübeck"), shape: "circle", geometry: point(10.86, 53.94), radius_m: 6000 },
    { ...fence(33, "A24 corridor"), shape: "corridor", geometry: corridor, width_m: 9000 },
    { type: "alert_settings", device_id: playedBack.id, rules },
    ...callsForHelp(now),
    ...yesterday(now),
    ...vehicles.flatMap((_, index) => lately(index, now)),
  ];
}

function vehicleOf(index: number): FleetRecord {
  const [name = ""] = places[index % places.length] ?? [];
  const number = String(Math.floor(index / places.length) + 1).padStart(2, "0");
  const fields = { name: `${name} ${number}`, plate: `HH NL ${101 + index}` };
  const id = uuid(101 + index);
  const user_ids = ofSubAccount.includes(id) ? [uuid(12)] : id === onlyVehicle.id ? [onlyVehicle.of] : [];
  return device(101 + index, { ...fields, user_ids });
}

function imeiOf(index: number): string {
  return String(device(101 + index).imei);
}

/** The last minutes of a vehicle, in the state it is in now. */
function lately(index: number, now: number): FleetRecord[] {
  const state = states[index % states.length] ?? "moving";
  const [, latitude = 0, longitude = 0] = places[index % places.length] ?? [];
  const angle = index * 2.4;
  const from = { latitude: latitude + 0.5 * Math.sin(angle), longitude: longitude + 0.8 * Math.cos(angle) };
  const isDriving = state === "moving";
  const end = now - (state === "offline" ? 40 * hourMs : 5_000 + index * 1000);
  const heading = (index * 67) % 360;
  return Array.from({ length: 8 }, (_, step) => {
    const metres = isDriving ? step * 600 : 0;
    return frame(imeiOf(index), end - (7 - step) * 30_000, {
      latitude: from.latitude + (metres * Math.cos((heading * Math.PI) / 180)) / 111_195,
      longitude: from.longitude + (metres * Math.sin((heading * Math.PI) / 180)) / 66_000,
      speed_kmh: isDriving ? 72 : 0,
      heading_deg: heading,
      ignition: state === "moving" || state === "idling",
      odometer_km: 80_000 + index * 1371 + metres / 1000,
    });
  });
}

export const helpCalls = { count: 1100, imei: imeiOf(23), name: "Fjord 04" };

/** A button that is stuck: more alerts than the API gives in two pages, from two days ago on. Within a minute it is one. */
function callsForHelp(now: number): FleetRecord[] {
  const [, latitude = 0, longitude = 0] = places[23 % places.length] ?? [];
  return Array.from({ length: helpCalls.count }, (_, index) =>
    frame(helpCalls.imei, now - 2 * dayMs + index * 65_000, { latitude, longitude, speed_kmh: 0, event: "sos" }),
  );
}

/** Hamburg, Lübeck, Wismar, Schwerin and back: four trips with deliveries between them. */
function yesterday(now: number): FleetRecord[] {
  const midnight = Math.floor(now / dayMs) * dayMs - dayMs;
  const stretches: readonly Stretch[] = [
    { beginAt: midnight + 5.6 * hourMs, through: loopOf("hamburg-luebeck"), cruiseKmh: 84 },
    { beginAt: midnight + 8 * hourMs, through: loopOf("luebeck-wismar"), cruiseKmh: 108 },
    { beginAt: midnight + 10.4 * hourMs, through: loopOf("wismar-schwerin"), cruiseKmh: 70 },
    { beginAt: midnight + 12.6 * hourMs, through: loopOf("schwerin-hamburg"), cruiseKmh: 88 },
  ];
  const imei = imeiOf(0);
  const driven = stretches.flatMap((stretch) => drive(stretch));
  const lines = driven.map(({ at, ...fields }, index) => {
    const isLost = index % 97 === 41;
    const isSpike = index % 131 === 60;
    const latitude = isSpike ? fields.latitude + 0.09 : fields.latitude;
    return frame(imei, at, isLost ? { fix: false, ignition: true } : { ...fields, latitude, satellites: 9 });
  });
  const nowhere = { latitude: 0, longitude: 0, speed_kmh: 0, ignition: true };
  return [...lines, frame(imei, midnight + 5.6 * hourMs - minuteMs, nowhere)];
}

function frame(imei: string, at: number, fields: FleetRecord): FleetRecord {
  const stamp = formatInstant(Math.round(at));
  return { type: "frame", imei, recorded_at: stamp, received_at: stamp, ...fields };
}

function fence(number: number, name: string): FleetRecord {
  const device_ids = [playedBack.id, ...ofSubAccount];
  return { type: "geofence", id: uuid(number), account_id: uuid(1), name, device_ids };
}

function point(longitude: number, latitude: number) {
  return { type: "Point", coordinates: [longitude, latitude] };
}

const corridor = {
  type: "LineString",
  coordinates: [
    [10.2, 53.53],
    [10.9, 53.5],
    [11.5, 53.42],
    [12.1, 53.3],
    [12.6, 53.1],
    [12.9, 52.8],
  ],
};
