import type { Reported } from "../../domain/reported.ts";
import { metresToKm, type SpeedUnit, toKmh } from "./units.ts";

type NumberField = Exclude<keyof Reported, "ignition" | "event">;

export type CsvColumn =
  | { readonly kind: "time" | "date" | "ignition" | "fix" | "event" | "source" | "driver_id" | "time_source" }
  /** Only in a table that we exported. */
  | { readonly kind: "received_at" | "reject_reason" }
  | { readonly kind: "number"; readonly field: NumberField; readonly convert: (value: number) => number };

const same = (value: number): number => value;
const number = (field: NumberField, convert = same): CsvColumn => ({ kind: "number", field, convert });
/** Some loggers count beyond a full turn. */
const withinTurn = (degrees: number): number =>
  degrees < 0 || degrees > 360 ? ((degrees % 360) + 360) % 360 : degrees;
const speed = (unit: SpeedUnit): CsvColumn => number("speed_kmh", (value) => toKmh(value, unit));

/** Names as `plainName` writes them. If several columns have the same meaning, the one whose name comes first here is read. */
const columnByName: Readonly<Record<string, CsvColumn>> = {
  ...named(
    { kind: "time" },
    "recorded_at timestamp timestamp_utc time_utc utc_time datetime date_time gps_time fix_time utc time",
  ),
  ...named({ kind: "date" }, "date date_utc"),
  ...named(number("latitude"), "latitude lat gps_lat gps_latitude"),
  ...named(number("longitude"), "longitude lon lng long gps_lon gps_lng gps_long gps_longitude"),
  ...named(number("altitude_m"), "altitude_m altitude alt ele elevation gps_alt gps_altitude gps_elevation"),
  ...named(speed("kmh"), "speed_kmh speed_kph speed_km_h kmh kph"),
  ...named(speed("ms"), "speed_ms speed_mps speed_m_s"),
  ...named(speed("mph"), "speed_mph mph"),
  ...named(speed("knots"), "speed_knots speed_kn speed_kt knots"),
  ...named(
    number("heading_deg", withinTurn),
    "heading_deg heading course bearing direction cog gps_heading gps_course",
  ),
  ...named(number("accuracy_m"), "accuracy_m accuracy gps_accuracy"),
  ...named(number("satellites"), "satellites sats sat num_sats gps_sats gps_satellites"),
  ...named(number("hdop"), "hdop gps_hdop"),
  ...named({ kind: "ignition" }, "ignition ign"),
  ...named(number("odometer_km"), "odometer_km odometer"),
  ...named(number("odometer_km", metresToKm), "odometer_m"),
  ...named(number("battery_percent"), "battery_percent battery_level battery batt"),
  ...named(number("external_voltage_v"), "external_voltage_v external_voltage voltage"),
  ...named({ kind: "event" }, "event"),
  ...named({ kind: "fix" }, "fix valid"),
  ...named({ kind: "source" }, "source"),
  ...named({ kind: "driver_id" }, "driver_id driver_unique_id driveruniqueid"),
};
const orderOfNames = Object.keys(columnByName);
const bareSpeedNames = ["speed", "gps_speed"];

/** In a table that we exported. `valid` is a verdict there, and not whether the receiver had a fix. */
const exportedColumns: Readonly<Record<string, CsvColumn | null>> = {
  received_at: { kind: "received_at" },
  reject_reason: { kind: "reject_reason" },
  time_source: { kind: "time_source" },
  valid: null,
};

/** The columns of a table that we exported, in its order; null for one that says nothing of the frame. */
export function columnsOfExport(header: readonly string[]): readonly (CsvColumn | null)[] {
  return header.map((name) => (name in exportedColumns ? (exportedColumns[name] ?? null) : columnNamed(name)));
}

/** The columns of a header, in its order; null for an unknown column, or one whose meaning another column already has. */
export function csvColumnsOf(header: readonly string[], speedUnit: SpeedUnit): readonly (CsvColumn | null)[] {
  const names = header.map(plainName);
  const columns = names.map((name) => (bareSpeedNames.includes(name) ? speed(speedUnit) : columnNamed(name)));
  return columns.map((column, index) => {
    if (column === null) return null;
    const rank = rankOf(names[index] ?? "");
    const isBeaten = columns.some((other, place) => {
      if (other === null || place === index || meaning(other) !== meaning(column)) return false;
      const otherRank = rankOf(names[place] ?? "");
      return otherRank < rank || (otherRank === rank && place < index);
    });
    return isBeaten ? null : column;
  });
}

/** `GPS Lat`, `gps-lat` and `gps_lat` are one name; `Speed (km/h)` is `speed_km_h`. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
}

function columnNamed(name: string): CsvColumn | null {
  return Object.hasOwn(columnByName, name) ? (columnByName[name] ?? null) : null;
}

function meaning(column: CsvColumn): string {
  return column.kind === "number" ? column.field : column.kind;
}

/** A bare `speed` comes last: every other name of a speed has its unit in it. */
function rankOf(name: string): number {
  const rank = orderOfNames.indexOf(name);
  return rank < 0 ? orderOfNames.length : rank;
}

function named(column: CsvColumn, names: string): Record<string, CsvColumn> {
  return Object.fromEntries(names.split(" ").map((name) => [name, column]));
}
