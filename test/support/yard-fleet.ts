import { formatInstant } from "../../src/domain/time/time.ts";
import { device, type FleetRecord, user, uuid } from "./fleet.ts";
import { portalPassword } from "./portal-fleet.ts";

/** Sees five vans that stand in one place, in a fence. */
export const yardEmail = "yara@nordlicht.test";
/** Sees three vans some 60 metres apart. */
export const streetEmail = "steen@nordlicht.test";
/** Sees one truck that has driven for half an hour. */
export const roadEmail = "rosa@nordlicht.test";

export const truck = { id: uuid(221), imei: String(device(221).imei), latitude: 53.7, longitude: 10.0 };

const minuteMs = 60_000;
const yard = { latitude: 53.6, longitude: 9.9 };

interface Frame {
  readonly agoMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed_kmh: number;
  readonly ignition: boolean;
}

export function framesOf(number: number, now: number, frames: readonly Frame[]): FleetRecord[] {
  return frames.map(({ agoMs, ...fields }) => {
    const recorded_at = formatInstant(now - agoMs);
    return {
      type: "frame",
      imei: device(number).imei,
      recorded_at,
      received_at: recorded_at,
      heading_deg: 90,
      ...fields,
    };
  });
}

/** Came two hours ago, and stands. */
function parked(number: number, now: number, place: { readonly latitude: number; readonly longitude: number }) {
  const at = (agoMinutes: number, ignition: boolean) => ({
    agoMs: agoMinutes * minuteMs,
    ...place,
    speed_kmh: 0,
    ignition,
  });
  return framesOf(number, now, [at(130, true), at(120.2, false), at(60, false), at(1, false)]);
}

/** What the tests of places, piles and the camera need beside the fleet of the others. */
export function yardFleet(now: number): FleetRecord[] {
  const person = (number: number, email: string) => user(number, { name: email, email, password: portalPassword });
  const vans = [201, 202, 203, 204, 205];
  const apart = [211, 212, 213];
  const fence = {
    type: "geofence",
    id: uuid(41),
    account_id: uuid(1),
    name: "North yard",
    shape: "circle",
    geometry: { type: "Point", coordinates: [yard.longitude, yard.latitude] },
    radius_m: 100,
    device_ids: [...vans, ...apart].map(uuid),
  };
  return [
    person(21, yardEmail),
    person(22, streetEmail),
    person(23, roadEmail),
    ...vans.map((number) =>
      device(number, { name: `Van ${number}`, user_ids: [uuid(21)], tags: [number % 2 === 0 ? "even" : "odd"] }),
    ),
    ...apart.map((number) => device(number, { name: `Van ${number}`, user_ids: [uuid(22)] })),
    device(221, { name: "Truck 221", user_ids: [uuid(23)] }),
    fence,
    ...vans.flatMap((number) => parked(number, now, yard)),
    ...apart.flatMap((number, index) =>
      parked(number, now, { latitude: yard.latitude + 0.0065, longitude: yard.longitude + index * 0.0009 }),
    ),
    ...framesOf(
      221,
      now,
      Array.from({ length: 31 }, (_, index) => ({
        agoMs: (30 - index) * minuteMs + 500,
        latitude: truck.latitude,
        longitude: truck.longitude + (index - 30) * 0.01,
        speed_kmh: 40,
        ignition: true,
      })),
    ),
  ];
}
