import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Api, createApi } from "../../src/api/server.ts";
import { watchOffline } from "../../src/derive/upkeep/offline-watch.ts";
import { readCanonicalFrame } from "../../src/intake/formats/canonical.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { FrameQueue } from "../../src/intake/queue.ts";
import type { World } from "../../src/simulator/world.ts";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { keyOf } from "../support/api.ts";
import { type FleetRecord, load } from "../support/fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";

const framesAtOnce = 4_000;

interface FrameRow {
  readonly recorded_at: number;
  readonly valid: boolean;
  readonly reject_reason: string | null;
}

/** What the product makes of a vehicle's frames, in the order of time. */
export interface Derived {
  readonly frames: readonly FrameRow[];
  /** As they were sent, by when they were taken. */
  readonly sent: ReadonlyMap<number, IncomingFrame>;
  readonly trips: readonly {
    readonly started_at: number;
    readonly ended_at: number | null;
  }[];
  readonly crossings: readonly {
    readonly geofence_id: string;
    readonly event_type: string;
    readonly occurred_at: number;
    readonly interpolated: boolean;
  }[];
  readonly alerts: readonly {
    readonly alert_type: string;
    readonly occurred_at: number;
    readonly message: string;
    readonly value: number | null;
  }[];
  readonly days: readonly { readonly date: string; readonly distance_km: number; readonly distance_source: string }[];
}

const dayMs = 86_400_000;

/** All pages are read in one go. */
function withoutLimits(record: FleetRecord): FleetRecord {
  const limits = { per_second: 100_000, per_day: 1_000_000 };
  return record.type === "account" ? { ...record, limits } : record;
}

/** Sends a world's messages through the real pipeline, in the order of their arrival, and gives what is derived by IMEI. */
export async function deriveWorld(world: World, from: number, until: number): Promise<Map<string, Derived>> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-world-"));
  const database = await openDatabase({ engine: "sqlite", directory }, { create: true });
  const sent = new Map<string, Map<number, IncomingFrame>>();
  try {
    await load(database, (world.fleet as FleetRecord[]).map(withoutLimits));
    const account = await accountNumber(database, world.accountId);
    const writer = new FrameQueue(database, () => {});
    let batch: IncomingFrame[] = [];
    for (const { frames } of world.messages(from, until)) {
      for (const raw of frames) {
        const frame = readCanonicalFrame(raw, until);
        if (typeof frame === "string") throw new Error(frame);
        batch.push(frame);
        const ofVehicle = sent.get(frame.imei) ?? new Map<number, IncomingFrame>();
        sent.set(frame.imei, ofVehicle.set(frame.recordedAt ?? 0, frame));
      }
      if (batch.length < framesAtOnce) continue;
      await writer.submit(account, batch);
      batch = [];
    }
    await writer.submit(account, batch);
    await watchOffline(database, until);
    // What began before the window belongs to it, and so does what is reported of its last moments.
    const window = { from: from - dayMs, until: until + dayMs };
    return await derivedByImei(database, world.ownerEmail, window, sent);
  } finally {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** What the API answers to the owner, device by device. */
async function derivedByImei(
  database: Database,
  email: string,
  window: { readonly from: number; readonly until: number },
  sent: ReadonlyMap<string, ReadonlyMap<number, IncomingFrame>>,
): Promise<Map<string, Derived>> {
  const key = await keyOf(database, email);
  const api = await createApi({ database, counters: database, observe: () => {} });
  const query = `from=${new Date(window.from).toISOString()}&to=${new Date(window.until).toISOString()}`;
  try {
    const ofDevice = async (imei: string): Promise<Derived> => {
      const list = (path: string) =>
        everyPage(api, key, `${path}${path.includes("?") ? "&" : "?"}imei=${imei}&${query}`);
      return {
        frames: (await list("/positions/history?valid_only=false&limit=500")).map((frame) => ({
          recorded_at: Date.parse(frame.recorded_at),
          valid: frame.valid,
          reject_reason: frame.reject_reason,
        })),
        sent: sent.get(imei) ?? new Map(),
        trips: (await list("/trips?limit=500")).map((trip) => ({
          started_at: Date.parse(trip.started_at),
          ended_at: trip.ended_at === null ? null : Date.parse(trip.ended_at),
        })),
        crossings: (await list("/geofence-events?limit=500")).map((event) => ({
          ...event,
          occurred_at: Date.parse(event.occurred_at),
        })),
        alerts: (await list("/alerts?limit=500")).map((alert) => ({
          ...alert,
          occurred_at: Date.parse(alert.occurred_at),
        })),
        days: await list("/reports/mileage"),
      };
    };
    const devices = await everyPage(api, key, "/devices?limit=500");
    const derived = new Map<string, Derived>();
    for (const { imei } of devices) derived.set(imei, await ofDevice(imei));
    return derived;
  } finally {
    await api.close();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the shapes of records are held against their schemas elsewhere
async function everyPage(api: Api, key: string, path: string): Promise<any[]> {
  const records = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const url = `http://odograph.test/v1${path}${cursor && `&cursor=${cursor}`}`;
    const response = await api.answer(new Request(url, { headers: { "X-API-Key": key } }), () => "127.0.0.1");
    const body = (await response.json()) as { data: unknown[]; next_cursor: string | null };
    if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    records.push(...body.data);
    cursor = body.next_cursor;
  }
  return records;
}
