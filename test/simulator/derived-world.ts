import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCanonicalFrame } from "../../src/ingest/formats/canonical.ts";
import { FrameWriter } from "../../src/ingest/frame-writer.ts";
import type { IncomingFrame } from "../../src/ingest/incoming-frame.ts";
import { watchOffline } from "../../src/ingest/offline-watch.ts";
import type { World } from "../../src/simulator/world.ts";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";
import { plainSql } from "../../src/store/sql.ts";
import { type FleetRecord, load } from "../support/fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";

const framesAtOnce = 4_000;

interface FrameRow {
  readonly recorded_at: number;
  readonly valid: number;
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
    readonly distance_mm: number;
  }[];
  readonly crossings: readonly {
    readonly geofence_id: string;
    readonly event_type: string;
    readonly occurred_at: number;
    readonly interpolated: number;
  }[];
  readonly alerts: readonly {
    readonly alert_type: string;
    readonly occurred_at: number;
    readonly message: string;
    readonly value: number | null;
  }[];
  readonly days: readonly { readonly day: number; readonly distance_mm: number; readonly distance_source: string }[];
}

/** Sends a world's messages through the real pipeline, in the order of their arrival, and gives what is derived by IMEI. */
export async function deriveWorld(world: World, from: number, until: number): Promise<Map<string, Derived>> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-world-"));
  const database = await openDatabase({ engine: "sqlite", directory }, { create: true });
  const sent = new Map<string, Map<number, IncomingFrame>>();
  try {
    await load(database, world.fleet as FleetRecord[]);
    const account = await accountNumber(database, world.accountId);
    const writer = new FrameWriter(database, () => {});
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
    return await derivedByImei(database, sent);
  } finally {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function derivedByImei(
  database: Database,
  sent: ReadonlyMap<string, ReadonlyMap<number, IncomingFrame>>,
): Promise<Map<string, Derived>> {
  const devices = await database.all<{ device: number; imei: string }>(plainSql("select device, imei from devices"));
  const rowsOf = async (table: string, order: string) => {
    const rows = await database.all<{ device: number }>(plainSql(`select * from ${table} order by ${order}`));
    return Map.groupBy(rows, ({ device }) => device);
  };
  const frames = await rowsOf("frames", "recorded_at");
  const trips = await rowsOf("trips", "started_at");
  const crossings = await rowsOf("geofence_events", "occurred_at");
  const alerts = await rowsOf("alerts", "occurred_at");
  const days = await rowsOf("mileage_days", "day");
  return new Map(
    devices.map(({ device, imei }) => {
      const derived = {
        frames: frames.get(device) ?? [],
        sent: sent.get(imei) ?? new Map(),
        trips: trips.get(device) ?? [],
        crossings: crossings.get(device) ?? [],
        alerts: alerts.get(device) ?? [],
        days: days.get(device) ?? [],
      };
      return [imei, derived as unknown as Derived];
    }),
  );
}
