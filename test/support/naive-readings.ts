import type { SensorReport } from "../../src/domain/frame.ts";
import { ownProblem } from "../../src/domain/quality/own-verdict.ts";
import type { Reader } from "../../src/store/database.ts";
import type { ReadingRow, SensorKind } from "../../src/store/frames/readings.ts";
import { sql } from "../../src/store/sql.ts";
import { everyFrame, type KeyedFrame } from "./stored-frames.ts";

/** A reading without what its list knows of the device. */
export type NaiveReading = Omit<ReadingRow, "device_id" | "imei" | "tank_capacity_l">;

/** All readings of the stored frames, in the order of their list, worked out without an index. */
export async function naiveReadings(reader: Reader): Promise<NaiveReading[]> {
  return sorted((await everyFrame(reader)).flatMap((stored) => stored.frame.sensors.map((one) => rowOf(stored, one))));
}

/** Of a reading that is in both, the second counts. */
export function union(one: readonly NaiveReading[], other: readonly NaiveReading[]): NaiveReading[] {
  const keyOf = (row: NaiveReading) => JSON.stringify([row.device, row.recorded_at, row.digest, row.kind, row.sensor]);
  return sorted([...new Map([...one, ...other].map((row) => [keyOf(row), row])).values()]);
}

function sorted(rows: readonly NaiveReading[]): NaiveReading[] {
  return rows.toSorted(
    (one, other) =>
      one.recorded_at - other.recorded_at ||
      one.device - other.device ||
      one.digest - other.digest ||
      Buffer.compare(Buffer.from(one.sensor), Buffer.from(other.sensor)),
  );
}

function rowOf({ device, frame }: KeyedFrame, report: SensorReport): NaiveReading {
  const hasPlace = ownProblem(frame) === null;
  const whole = (value: number | null | undefined, factor = 1000) =>
    value == null ? null : 0 + Math.round(value * factor);
  const value = (name: string) => whole((report as unknown as Record<string, number | null>)[name]);
  return {
    device,
    kind: report.kind,
    sensor: report.sensor,
    recorded_at: frame.recordedAt,
    received_at: frame.receivedAt,
    digest: frame.digest,
    latitude_e7: hasPlace ? whole(frame.latitude, 1e7) : null,
    longitude_e7: hasPlace ? whole(frame.longitude, 1e7) : null,
    level_milli_percent: value("level_percent"),
    volume_ml: value("volume_l"),
    temperature_mc: value("temperature_c"),
    humidity_milli_percent: value("humidity_percent"),
    axle: report.kind === "tyre" ? report.axle : null,
    wheel: report.kind === "tyre" ? report.wheel : null,
    pressure_pa: value("pressure_kpa"),
  };
}

const kinds: Readonly<Record<SensorKind, number>> = { fuel: 1, temperature: 2, tyre: 4 };

/** The moments that have readings, as the narrow rows should have them. */
export function momentsOf(readings: readonly NaiveReading[]): string[] {
  return [...new Set(readings.map((row) => `${row.device} ${row.recorded_at} ${kinds[row.kind]}`))].toSorted();
}

export async function storedMoments(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ device: number; recorded_at: number; kind: number }>(
    sql`select device, recorded_at, kind from readings`,
  );
  return rows.map(({ device, recorded_at, kind }) => `${device} ${recorded_at} ${kind}`).toSorted();
}
