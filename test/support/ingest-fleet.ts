import { AccountContexts } from "../../src/ingest/account-context.ts";
import { DeviceFolds } from "../../src/ingest/device-folds.ts";
import { FrameWriter } from "../../src/ingest/frame-writer.ts";
import type { IncomingFrame } from "../../src/ingest/incoming-frame.ts";
import { type Rederived, rederive } from "../../src/ingest/rederive.ts";
import type { Receipt } from "../../src/ingest/sort-out.ts";
import type { Observe } from "../../src/observe/observation.ts";
import type { Database } from "../../src/store/database.ts";
import { foldedDevices } from "../../src/store/folds.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { circle, device, type FleetRecord, load, smallFleet, uuid } from "./fleet.ts";
import { randomDrive } from "./random-drive.ts";

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

/** Where the random drives begin, unless a test says otherwise. */
export const newYear = Date.UTC(2026, 0, 1, 9);

/** The frames of the first account's devices. The clock of the fleet is the frames' own. */
export function randomFleet(seed: number, count: number, beginAt: number = newYear): IncomingFrame[] {
  return imeis.flatMap((imei, index) => randomDrive({ imei, seed: seed * 10 + index, count, beginAt, ...home }));
}

export async function accountNumber(database: Database, id: string = acme.id): Promise<number> {
  const row = await database.get<{ account_id: number }>(sql`select account_id from accounts where id = ${id}`);
  if (row === null) throw new Error(`there is no account ${id}`);
  return row.account_id;
}

/** One ingest node: what it remembers is its own. */
export function newWriter(database: Database, observe: Observe = () => {}): FrameWriter {
  return new FrameWriter(database, observe);
}

/** Stores the frames, one batch after the other, by a node that has just started. */
export async function take(
  database: Database,
  batches: readonly (readonly IncomingFrame[])[],
  writer: FrameWriter = newWriter(database),
): Promise<Receipt[]> {
  const account = await accountNumber(database);
  const receipts: Receipt[] = [];
  for (const batch of batches) receipts.push(...(await writer.submit(account, batch)));
  return receipts;
}

/** Derives everything of every device from its first frame on, and tells what that changed. */
export async function rederiveAll(database: Database, isThorough = true): Promise<Rederived> {
  const sum = { frames: 0, verdictsChanged: 0, factsSaved: 0, factsRemoved: 0, latestChanged: false };
  const contexts = new AccountContexts();
  const folds = new DeviceFolds();
  const range = isThorough ? { from: 0, until: Number.MAX_SAFE_INTEGER } : null;
  for (const key of await foldedDevices(database, null, 1_000)) {
    const result = await rederive(database, contexts, folds, key, { range, isThorough });
    if (result === null) continue;
    sum.frames += result.frames;
    sum.verdictsChanged += result.verdictsChanged;
    sum.factsSaved += result.factsSaved;
    sum.factsRemoved += result.factsRemoved;
    sum.latestChanged ||= result.latestChanged;
  }
  return sum;
}

/** What `rederiveAll` comes to where the store already says what its frames tell. */
export const nothingChanged = { verdictsChanged: 0, factsSaved: 0, factsRemoved: 0, latestChanged: false } as const;

const written = [
  "frames",
  "readings",
  "trips",
  "geofence_events",
  "alerts",
  "mileage_days",
  "latest_positions",
  "fold_checkpoints",
  "device_folds",
] as const;

/** As if no frame had ever come; the fleet stays. Far quicker than another store. */
export async function forgetFrames(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    for (const table of written) await tx.run(plainSql(`delete from ${table}`));
  });
}

/** The store's words for how often each device was derived again and what is still to be derived. */
export async function dirtyCount(database: Database): Promise<number> {
  const row = await database.get<{ count: number }>(
    sql`select count(*) as count from device_folds where dirty_from is not null`,
  );
  return row?.count ?? 0;
}
