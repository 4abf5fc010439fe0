import type { Visibility } from "../domain/visibility.ts";
import type { Reader } from "./database.ts";
import type { TimePage } from "./pages.ts";
import { sql } from "./sql.ts";
import { type TimedTable, timedRows } from "./timed-rows.ts";

export type SensorKind = "fuel" | "temperature" | "tyre";

export interface ReadingRow {
  readonly device: number;
  readonly device_id: string;
  readonly imei: string;
  readonly kind: SensorKind;
  readonly sensor: string;
  readonly recorded_at: number;
  readonly received_at: number;
  readonly digest: number;
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

/** Readings have no id of their own: what orders two of the same moment is the device, the frame and the sensor. */
export interface ReadingKey {
  readonly at: number;
  readonly device: number;
  readonly digest: number;
  readonly sensor: string;
}

const table: TimedTable = {
  name: sql`readings`,
  time: sql`r.recorded_at`,
  key: sql`r.recorded_at, r.device, r.digest, r.sensor`,
  columns: sql`r.device, r.kind, r.sensor, r.recorded_at, r.received_at, r.digest, r.latitude_e7, r.longitude_e7,
    r.level_milli_percent, r.volume_ml, r.temperature_mc, r.humidity_milli_percent, r.axle, r.wheel, r.pressure_pa`,
};

export function readings(
  reader: Reader,
  visibility: Visibility,
  page: TimePage<ReadingKey> & { readonly kind: SensorKind },
): Promise<ReadingRow[]> {
  const { after } = page;
  return reader.all(
    timedRows(reader.engine, table, visibility, page.device, {
      ...page,
      afterKey: after && sql`${after.at}, ${after.device}, ${after.digest}, ${after.sensor}`,
      conditions: sql`and r.kind = ${page.kind}`,
    }),
  );
}
