import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import type { EngineUnderTest, FreshDatabase } from "./engines.ts";
import { circle, device, type FleetRecord, load, smallFleet, uuid } from "./fleet.ts";
import { noReport, randomDrive } from "./random-drive.ts";

/** Where the drives of these tests begin, and where the fences are. */
export const home = { latitude: 52.5, longitude: 13.4 } as const;
export const imeis = [21, 22, 23].map((number) => device(number).imei);
export const [vanImei = "", truckImei = "", carImei = ""] = imeis;

const vanAndTruck = [uuid(21), uuid(22)];

function square(half: number): number[][] {
  const { latitude: y, longitude: x } = home;
  const corners = [
    [x - half, y - half],
    [x + half, y - half],
    [x + half, y + half],
    [x - half, y + half],
  ];
  return [...corners, corners[0] as number[]];
}

/** Fences of all three shapes around the place where drives begin. */
export const fences = {
  town: circle(41, { name: "Town", radius_m: 2000, device_ids: [...vanAndTruck, uuid(23)] }),
  ring: {
    ...circle(42),
    name: "Ring",
    shape: "polygon",
    geometry: { type: "Polygon", coordinates: [square(0.03), square(0.01).reverse()] },
    radius_m: null,
    device_ids: vanAndTruck,
  },
  road: {
    ...circle(43),
    name: "Road",
    shape: "corridor",
    geometry: {
      type: "LineString",
      coordinates: [
        [home.longitude, home.latitude - 0.05],
        [home.longitude, home.latitude],
        [home.longitude + 0.08, home.latitude + 0.02],
      ],
    },
    radius_m: null,
    width_m: 300,
    device_ids: vanAndTruck,
  },
} satisfies Record<string, FleetRecord>;

export const alertSettings: FleetRecord = {
  type: "alert_settings",
  device_id: uuid(21),
  rules: [
    { alert_type: "geofence_enter", geofence_ids: [fences.town.id, fences.ring.id] },
    { alert_type: "geofence_exit", geofence_ids: [fences.town.id, fences.road.id] },
    { alert_type: "speeding", parameters: { limit_kmh: 60 } },
    { alert_type: "temperature_high", parameters: { above_c: 8 } },
  ],
};

const { acme, olga, ann, bob, van, truck, car, rival, rita, rivalVan } = smallFleet;
export const people = [acme, olga, ann, bob, rival, rita] as const;
export const devices = [{ ...van, fuel_tank_capacity_l: 80 }, truck, car, rivalVan] as const;

/** Two accounts; the first has three devices, three fences and settings of its own for the van. */
export async function loadIngestFleet(database: Database): Promise<void> {
  await load(database, [...people, ...devices, ...Object.values(fences), alertSettings]);
}

/** A store of the test's own with that fleet in it. */
export async function freshFleet(engine: EngineUnderTest): Promise<FreshDatabase> {
  const store = await engine.fresh();
  await loadIngestFleet(store.database);
  return store;
}

/** When the random drives begin, unless a test says otherwise. */
export const newYear = Date.UTC(2026, 0, 1, 9);

/** The frames of the first account's devices. The clock of the fleet is the frames' own. */
export function randomFleet(seed: number, count: number, beginAt: number = newYear): IncomingFrame[] {
  return imeis.flatMap((imei, index) => randomDrive({ imei, seed: seed * 10 + index, count, beginAt, ...home }));
}

/** What the van sent from home, received a second later. */
export function vanFrame(recordedAt: number, fields: Partial<IncomingFrame> = {}): IncomingFrame {
  return { ...noReport, imei: vanImei, recordedAt, receivedAt: recordedAt + 1_000, ...home, ...fields };
}
