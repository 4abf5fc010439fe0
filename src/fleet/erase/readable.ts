import { parseReported } from "../../domain/reported.ts";
import { dateOfDay, formatInstant } from "../../domain/time/time.ts";
import type { StoredRow } from "../../store/erase/stored-rows.ts";

/** Numbers and texts of the store's own, which mean nothing outside of it. */
const internal: ReadonlySet<string> = new Set([
  "account_id",
  "device",
  "final_at",
  "revision",
  "search_text",
  "removed_imei",
  "erasing_at",
]);

const momentNames: ReadonlySet<string> = new Set(["at", "valid_from", "ignition_since"]);
const booleanNames: ReadonlySet<string> = new Set(["interpolated", "has_gap", "withdrawn", "discontinuity"]);

/** Small units as they are stored, and what the API calls and counts them in. */
const units: readonly (readonly [ending: string, readable: string, factor: number])[] = [
  ["_e7", "", 1e7],
  ["_m_per_h", "_kmh", 1e3],
  ["_mm", "_km", 1e6],
  ["odometer_m", "odometer_km", 1e3],
  ["_ms", "_s", 1e3],
];

/** A stored row as people and other programs read it: with the API's names and units, and without what is not set. */
export function readable(row: StoredRow): Record<string, unknown> {
  const entries = Object.entries(row).filter(([name, value]) => value !== null && !internal.has(name));
  return Object.fromEntries(entries.flatMap(([name, value]) => readableField(name, value)));
}

function readableField(name: string, value: unknown): [string, unknown][] {
  if (name === "fields_json") {
    return Object.entries(parseReported(String(value))).filter(([, reported]) => reported !== null);
  }
  if (name.endsWith("_json")) return [[name.slice(0, -"_json".length), JSON.parse(String(value))]];
  if (name.endsWith("_at") || momentNames.has(name)) return [[name, formatInstant(Number(value))]];
  if (booleanNames.has(name)) return [[name, Boolean(value)]];
  if (name === "day") return [["date", dateOfDay(Number(value))]];
  if (name === "scopes") return [[name, String(value).split(" ")]];
  const unit = units.find(([ending]) => name.endsWith(ending));
  if (unit === undefined) return [[name, value]];
  const [ending, called, factor] = unit;
  return [[name.slice(0, -ending.length) + called, Number(value) / factor]];
}
