import { type FramePlace, nothingReported, placeKey, type SensorReport } from "../../domain/frame.ts";
import { accepted } from "../../domain/verdict.ts";
import type { StoredFrame } from "../blocks/stored-frame.ts";
import type { Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { blockFramesAt } from "../frames/frame-blocks.ts";
import { framesAt } from "../frames/frames.ts";
import { keepReadings, saveReadings } from "../frames/reading-writes.ts";
import type { SensorKind } from "../frames/readings.ts";
import { limitTo, sql } from "../sql.ts";
import { conversionOf, type Place, placeOf as placeCarriedOver, rowsByDevice, savePlace } from "./conversion.ts";

const what = "readings";
/** A reading as 1.0.0 stored it: what it says beside the frame. */
export interface OldRow {
  readonly account_id: number;
  readonly device: number;
  readonly kind: SensorKind;
  readonly recorded_at: number;
  readonly digest: number;
  readonly sensor: string;
  readonly received_at: number;
  readonly latitude_e7: number | null;
  readonly longitude_e7: number | null;
  readonly level_milli_percent: number | null;
  readonly volume_ml: number | null;
  readonly temperature_mc: number | null;
  readonly humidity_milli_percent: number | null;
  readonly axle: number | null;
  readonly wheel: number | null;
  readonly pressure_pa: number | null;
}

/**
 * Leaves of the readings only when there are some. Those whose frame is stored are read from it; the others are kept in blocks
 * of their own. The old table is dropped when all are carried over; until then it stays as it is.
 */
export const oldReadings = conversionOf({ what, rowsPerStep: 10_000, convertSome: carrySome });

async function carrySome(tx: Transaction, count: number): Promise<number> {
  const place = await placeCarriedOver(tx, what);
  const rows = await nextRows(tx, place, count);
  const last = rows.at(-1);
  if (last === undefined) return 0;
  for (const [key, own] of rowsByDevice(rows)) await carryOf(tx, key, own);
  await savePlace(tx, what, { ...last, done: place.done + rows.length });
  return rows.length;
}

async function nextRows(tx: Transaction, place: Place, count: number): Promise<OldRow[]> {
  const { account_id, device, kind, recorded_at, digest } = place;
  const rows = await tx.all<OldRow>(sql`
    select * from old_readings
    where (account_id, device, kind, recorded_at, digest) > (${account_id}, ${device}, ${kind}, ${recorded_at}, ${digest})
    order by account_id, device, kind, recorded_at, digest, sensor ${limitTo(count)}`);
  const last = rows.at(-1);
  if (last === undefined) return [];
  // The place says which frame and kind was the last: a step never ends between its sensors.
  const others = await tx.all<OldRow>(sql`
    select * from old_readings
    where account_id = ${last.account_id} and device = ${last.device} and kind = ${last.kind}
      and recorded_at = ${last.recorded_at} and digest = ${last.digest} and sensor > ${last.sensor}
    order by sensor`);
  return [...rows, ...others];
}

async function carryOf(tx: Transaction, key: DeviceKey, rows: readonly OldRow[]): Promise<void> {
  const times = new Set(rows.map(({ recorded_at }) => recorded_at));
  const stored = new Set((await framesAt(tx, key, times)).map(({ frame }) => placeKey(frame)));
  const frames = [...Map.groupBy(rows, (row) => placeKey(placeOf(row))).values()].map(frameOf);
  await saveReadings(
    tx,
    frames.map((frame) => ({ ...frame, ...key })),
  );
  const dropped = frames.filter(({ frame }) => !stored.has(placeKey(frame)));
  if (dropped.length === 0) return;
  // Sensors of another kind may have been carried over already.
  const kept = new Map(
    (await blockFramesAt(tx, key, times, "reading_blocks")).map((one) => [placeKey(one.frame), one]),
  );
  const withOthers = dropped.map((one) => {
    const sensors = [...(kept.get(placeKey(one.frame))?.frame.sensors ?? []), ...one.frame.sensors];
    return { ...one, frame: { ...one.frame, sensors } };
  });
  await keepReadings(tx, key, withOthers);
}

function placeOf({ recorded_at: recordedAt, digest }: OldRow): FramePlace {
  return { recordedAt, digest };
}

/** What is known of a frame by its readings. */
export function frameOf(rows: readonly OldRow[]): StoredFrame {
  const [first] = rows as [OldRow];
  return {
    frame: {
      ...nothingReported,
      ...placeOf(first),
      receivedAt: first.received_at,
      latitude: unscaled(first.latitude_e7, 1e7),
      longitude: unscaled(first.longitude_e7, 1e7),
      sensors: rows.map(reportOf),
    },
    verdict: accepted,
  };
}

function reportOf(row: OldRow): SensorReport {
  const { kind, sensor } = row;
  switch (kind) {
    case "fuel":
      return {
        kind,
        sensor,
        level_percent: unscaled(row.level_milli_percent, 1000),
        volume_l: unscaled(row.volume_ml, 1000),
      };
    case "temperature":
      return {
        kind,
        sensor,
        temperature_c: unscaled(row.temperature_mc, 1000),
        humidity_percent: unscaled(row.humidity_milli_percent, 1000),
      };
    case "tyre":
      return {
        kind,
        sensor,
        axle: row.axle ?? 0,
        wheel: row.wheel ?? 0,
        pressure_kpa: unscaled(row.pressure_pa, 1000),
        temperature_c: unscaled(row.temperature_mc, 1000),
      };
  }
}

function unscaled(value: number | null, factor: number): number | null {
  return value === null ? null : value / factor;
}
