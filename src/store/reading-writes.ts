import type { Frame, FramePlace, SensorReport } from "../domain/frame.ts";
import type { BulkTable, Row, Transaction } from "./database.ts";
import type { DeviceKey } from "./frames.ts";
import { readingTable } from "./readings.ts";
import { scaled } from "./scaled.ts";
import { sql } from "./sql.ts";

/** A frame that turns out to have been received earlier writes its readings again, with that time. */
const bulk: BulkTable = {
  ...readingTable,
  onConflict: `on conflict (${readingTable.key.join(", ")}) do update set received_at = excluded.received_at`,
};

/** One row per sensor and frame, as sent. The place is the frame's, if it is possible. */
export async function saveReadings(
  tx: Transaction,
  frames: readonly (DeviceKey & { readonly frame: Frame; readonly hasPlace: boolean })[],
): Promise<void> {
  const rows: Row[] = [];
  for (const { accountId, device, frame, hasPlace } of frames) {
    for (const report of frame.sensors) {
      rows.push({
        account_id: accountId,
        device,
        kind: report.kind,
        recorded_at: frame.recordedAt,
        digest: frame.digest,
        sensor: report.sensor,
        received_at: frame.receivedAt,
        latitude_e7: hasPlace ? scaled(frame.latitude, 1e7) : null,
        longitude_e7: hasPlace ? scaled(frame.longitude, 1e7) : null,
        ...values(report),
      });
    }
  }
  if (rows.length > 0) await tx.insertMany(bulk, rows);
}

/** Removes the readings of a frame, and returns what they were. */
export function removeReadingsAt(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  { recordedAt, digest }: FramePlace,
): Promise<{ readonly kind: string; readonly sensor: string }[]> {
  return tx.all(sql`
    delete from readings
    where account_id = ${accountId} and device = ${device} and kind in ('fuel', 'temperature', 'tyre')
      and recorded_at = ${recordedAt} and digest = ${digest}
    returning kind, sensor`);
}

function values(report: SensorReport): Row {
  switch (report.kind) {
    case "fuel":
      return {
        level_milli_percent: scaled(report.level_percent, 1000),
        volume_ml: scaled(report.volume_l, 1000),
      };
    case "temperature":
      return {
        temperature_mc: scaled(report.temperature_c, 1000),
        humidity_milli_percent: scaled(report.humidity_percent, 1000),
      };
    case "tyre":
      return {
        axle: report.axle,
        wheel: report.wheel,
        pressure_pa: scaled(report.pressure_kpa, 1000),
        temperature_mc: scaled(report.temperature_c, 1000),
      };
  }
}
