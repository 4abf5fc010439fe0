import type { Visibility } from "../domain/visibility.ts";
import { bigint, integer, oneOf, orNull, type RowOf, text } from "./columns.ts";
import type { Reader } from "./database.ts";
import type { DeviceOfRow } from "./fact-table.ts";
import type { TimePage } from "./pages.ts";
import { type DeviceMoment, rowsAt } from "./rows-at.ts";
import { sql } from "./sql.ts";
import { listed, omit, table } from "./table.ts";
import { type TimedTable, timedRows } from "./timed-rows.ts";

export type SensorKind = "fuel" | "temperature" | "tyre";

export const readingTable = table("readings", ["account_id", "device", "kind", "recorded_at", "digest", "sensor"], {
  account_id: bigint,
  device: bigint,
  kind: oneOf<SensorKind>(),
  sensor: text,
  recorded_at: bigint,
  received_at: bigint,
  digest: bigint,
  latitude_e7: orNull(integer),
  longitude_e7: orNull(integer),
  level_milli_percent: orNull(integer),
  volume_ml: orNull(bigint),
  temperature_mc: orNull(integer),
  humidity_milli_percent: orNull(integer),
  axle: orNull(integer),
  wheel: orNull(integer),
  pressure_pa: orNull(bigint),
});

const shown = omit(readingTable.columns, "account_id");

export interface ReadingRow extends DeviceOfRow, RowOf<typeof shown> {
  /** Of the device, as it is now, where that says something: only fuel readings have it. */
  readonly tank_capacity_l?: number | null;
}

/** Readings have no id: those of the same moment are ordered by device, frame and sensor. */
export interface ReadingKey {
  readonly at: number;
  readonly device: number;
  readonly digest: number;
  readonly sensor: string;
}

const list: TimedTable = {
  name: sql`readings`,
  time: sql`r.recorded_at`,
  key: sql`r.recorded_at, r.device, r.digest, r.sensor`,
  columns: listed(shown, "r"),
};

const fuelList: TimedTable = {
  ...list,
  columns: sql`${list.columns}, (select t.fuel_tank_capacity_l from devices t
    where t.account_id = r.account_id and t.device = r.device) as tank_capacity_l`,
};

/** The readings at exactly these moments. */
export function readingsAt(
  reader: Reader,
  visibility: Visibility,
  moments: readonly DeviceMoment[],
): Promise<(ReadingRow & DeviceMoment)[]> {
  // The kind comes before the time in the key.
  return rowsAt(reader, fuelList, visibility, moments, sql`and r.kind in ('fuel', 'temperature', 'tyre')`);
}

export function readings(
  reader: Reader,
  visibility: Visibility,
  page: TimePage<ReadingKey> & { readonly kind: SensorKind },
): Promise<ReadingRow[]> {
  const { after } = page;
  return reader.all(
    timedRows(reader.engine, page.kind === "fuel" ? fuelList : list, visibility, page.device, {
      ...page,
      afterKey: after && sql`${after.at}, ${after.device}, ${after.digest}, ${after.sensor}`,
      conditions: sql`and r.kind = ${page.kind}`,
    }),
  );
}
