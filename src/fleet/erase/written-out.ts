import { parseReported, timeSourceOf } from "../../domain/reported.ts";
import { dateOfDay, formatInstant } from "../../domain/time/time.ts";
import type { Reader } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import {
  auditOfAccount,
  auditOfRecord,
  auditOfUser,
  membersOf,
  type StoredPart,
  type StoredRow,
  storedDevice,
  storedOfAccount,
  storedOfUser,
  storedParts,
} from "../../store/erase/stored-rows.ts";
import { forAll, ruleVersions } from "../../store/fleet/rule-versions.ts";
import { alertSettingsLines, driverLines, geofenceLines, type Line } from "../parse/lines.ts";

/**
 * What is stored of something as lines of NDJSON. The records of the fleet and the frames are lines of a fleet file, with
 * what is known besides; the rest are rows with the API's names and units.
 */
export type Lines = AsyncGenerator<Line, void, void>;

/** `ended`: assignments that were ended so that it can be erased. */
export async function* linesOfDevice(reader: Reader, key: DeviceKey, ended: readonly StoredRow[] = []): Lines {
  const described = await storedDevice(reader, key);
  const imei = String(described?.removed_imei ?? described?.imei ?? "");
  const ofDevice = described === null ? {} : { device_id: described.id };
  if (described !== null) {
    yield { type: "device", ...readable({ ...described, imei }) };
    yield* await alertSettingsLines(reader, key.accountId, [String(described.id)]);
  }
  for (const row of ended) yield assignmentLine(row);
  for await (const part of storedParts(reader, key)) {
    if ("frame" in part) yield frameLine(part, imei);
    else yield part.type === "assignment" ? assignmentLine(part.row) : rowLine(part.type, part.row, ofDevice);
  }
}

export async function* linesOfUser(reader: Reader, accountId: number, userId: string): Lines {
  yield* rowsOfUser(reader, accountId, userId);
  for await (const row of auditOfUser(reader, accountId, userId)) yield rowLine("audit_entry", row);
}

async function* rowsOfUser(reader: Reader, accountId: number, userId: string): Lines {
  for (const { type, row } of await storedOfUser(reader, accountId, userId)) {
    yield rowLine(type, row, type === "user" ? {} : { user_id: userId });
  }
}

/** The ids of the tags in frames and trips are those of the vehicles, and stay. */
export async function* linesOfDriver(reader: Reader, accountId: number, id: string): Lines {
  yield* await driverLines(reader, accountId, [id]);
  for await (const row of auditOfRecord(reader, accountId, "driver", id)) yield rowLine("audit_entry", row);
}

/** `account`: how it was before it was suspended so that it can be erased. */
export async function* linesOfAccount(reader: Reader, accountId: number, account: Line): Lines {
  yield account;
  const { devices, users } = await membersOf(reader, accountId);
  for (const id of users) yield* rowsOfUser(reader, accountId, id);
  for (const { type, row } of await storedOfAccount(reader, accountId)) yield rowLine(type, row);
  yield* await driverLines(reader, accountId, null);
  yield* await geofenceLines(reader, accountId, null);
  yield* await sharedRuleLines(reader, accountId);
  for (const device of devices) yield* linesOfDevice(reader, { accountId, device });
  for await (const row of auditOfAccount(reader, accountId)) yield rowLine("audit_entry", row);
}

async function sharedRuleLines(reader: Reader, accountId: number): Promise<Line[]> {
  const tags = new Set((await ruleVersions(reader, accountId)).map(({ tag }) => tag));
  const ids = [...tags].map((tag) => (tag === forAll ? "all" : `tag:${tag}`));
  return alertSettingsLines(reader, accountId, ids);
}

function rowLine(type: string, row: StoredRow, whose: Readonly<Record<string, unknown>> = {}): Line {
  return { type, ...whose, ...readable(row) };
}

/** In the table the device's id is called `id`. */
function assignmentLine({ id, imei: _, ...row }: StoredRow): Line {
  return rowLine("assignment", row, { device_id: id });
}

function frameLine(part: Extract<StoredPart, { frame: unknown }>, imei: string): Line {
  const {
    recordedAt,
    receivedAt,
    digest: _,
    driver_id = null,
    time_source = "tracker",
    ...reported
  } = part.frame.frame;
  const { valid, rejectReason } = part.frame.verdict;
  const times = { recorded_at: formatInstant(recordedAt), received_at: formatInstant(receivedAt) };
  return { type: part.type, imei, ...times, ...reported, driver_id, time_source, valid, reject_reason: rejectReason };
}

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
function readable(row: StoredRow): Record<string, unknown> {
  const entries = Object.entries(row).filter(([name, value]) => value !== null && !internal.has(name));
  return Object.fromEntries(entries.flatMap(([name, value]) => readableField(name, value)));
}

function readableField(name: string, value: unknown): [string, unknown][] {
  if (name === "fields_json") {
    const text = String(value);
    const reported = { ...parseReported(text), time_source: timeSourceOf(text) ?? "tracker" };
    return Object.entries(reported).filter(([, each]) => each !== null);
  }
  if (name === "drivers_json") {
    const drivers = JSON.parse(String(value)) as [driverId: string, from: number][];
    return [["drivers", drivers.map(([driver_id, from]) => ({ driver_id, from: formatInstant(from) }))]];
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
