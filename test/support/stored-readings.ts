import { nothingReported, placeKey, type SensorReport } from "../../src/domain/frame.ts";
import { accepted } from "../../src/domain/verdict.ts";
import type { StoredFrame } from "../../src/store/blocks/stored-frame.ts";
import type { Transaction } from "../../src/store/database.ts";
import { keepReadings, saveReadings } from "../../src/store/frames/reading-writes.ts";
import type { SensorKind } from "../../src/store/frames/readings.ts";

/** What a reading says beside its frame. */
export interface SeededReading {
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

/** Stores readings as they are left when their frames are dropped: no list of frames shows them. */
export async function putReadings(tx: Transaction, readings: readonly SeededReading[]): Promise<void> {
  for (const own of Map.groupBy(readings, ({ account_id, device }) => `${account_id} ${device}`).values()) {
    const [{ account_id: accountId, device }] = own as [SeededReading];
    const byFrame = Map.groupBy(own, ({ recorded_at: recordedAt, digest }) => placeKey({ recordedAt, digest }));
    const frames = [...byFrame.values()].map(frameOf);
    await saveReadings(
      tx,
      frames.map((frame) => ({ ...frame, accountId, device })),
    );
    await keepReadings(tx, { accountId, device }, frames);
  }
}

/** What is known of a frame by its readings. */
function frameOf(rows: readonly SeededReading[]): StoredFrame {
  const [first] = rows as [SeededReading];
  return {
    frame: {
      ...nothingReported,
      recordedAt: first.recorded_at,
      digest: first.digest,
      receivedAt: first.received_at,
      latitude: unscaled(first.latitude_e7, 1e7),
      longitude: unscaled(first.longitude_e7, 1e7),
      sensors: rows.map(reportOf),
    },
    verdict: accepted,
  };
}

function reportOf(row: SeededReading): SensorReport {
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
