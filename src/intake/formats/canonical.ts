/** Odograph's own frames. Written by hand because every frame passes here, and a schema takes several times as long. */
import { type PositionSource, positionSources } from "../../domain/frame.ts";
import { timeSources } from "../../domain/reported.ts";
import { isImei } from "../../domain/text/identifiers.ts";
import { isObject } from "../../domain/text/raw-object.ts";
import { parseInstant } from "../../domain/time/time.ts";
import type { IncomingFrame } from "../incoming-frame.ts";
import { printable, problem, problemLine } from "./problems.ts";
import { readBoolean, readNumber, readText, trimmed } from "./read-value.ts";
import { readSensors } from "./sensors.ts";

/** A gateway's clock may be ahead by this much. A later time of receipt is not believed. */
const maxClockLeadMs = 300_000;

/**
 * The frame, or one line with all that is wrong with it. Unknown fields are ignored; a field that is missing or null is
 * unknown. Only the IMEI is required. If `device` is given, the IMEI may be missing from an object with `recorded_at`.
 */
export function readCanonicalFrame(value: unknown, now: number, device?: string): IncomingFrame | string {
  if (!isObject(value)) return `expected an object, got ${printable(value)}`;
  const problems: string[] = [];
  const frame: IncomingFrame = {
    imei: readImei(value.imei ?? (value.recorded_at === undefined ? undefined : device), problems),
    recordedAt: readInstant(value.recorded_at, "recorded_at", problems),
    receivedAt: readReceivedAt(value.received_at, now, problems),
    latitude: readNumber(value.latitude, "latitude", problems),
    longitude: readNumber(value.longitude, "longitude", problems),
    altitude_m: readNumber(value.altitude_m, "altitude_m", problems),
    speed_kmh: readNumber(value.speed_kmh, "speed_kmh", problems),
    heading_deg: readNumber(value.heading_deg, "heading_deg", problems),
    accuracy_m: readNumber(value.accuracy_m, "accuracy_m", problems),
    satellites: readNumber(value.satellites, "satellites", problems),
    hdop: readNumber(value.hdop, "hdop", problems),
    ignition: readBoolean(value.ignition, "ignition", problems),
    odometer_km: readNumber(value.odometer_km, "odometer_km", problems),
    battery_percent: readNumber(value.battery_percent, "battery_percent", problems),
    external_voltage_v: readNumber(value.external_voltage_v, "external_voltage_v", problems),
    event: readText(value.event, "event", problems),
    fix: readBoolean(value.fix, "fix", problems),
    source: readSource(value.source, problems),
    sensors: readSensors(value.sensors, problems),
    driver_id: readText(trimmed(value.driver_id), "driver_id", problems) ?? undefined,
    time_source: readTimeSource(value.time_source, problems),
  };
  return problems.length === 0 ? frame : problemLine(problems);
}

function readImei(value: unknown, problems: string[]): string {
  if (typeof value === "string" && isImei(value)) return value;
  problems.push(problem("imei", "a string of 14 to 16 digits", value));
  return "";
}

function readInstant(value: unknown, name: string, problems: string[]): number | null {
  if (value === undefined || value === null) return null;
  const instant = typeof value === "string" ? parseInstant(value) : null;
  if (instant === null) problems.push(problem(name, "an ISO 8601 time", value));
  return instant;
}

/** A time in the future means that one of the two clocks is wrong, which must not cost a frame. */
function readReceivedAt(value: unknown, now: number, problems: string[]): number {
  const receivedAt = readInstant(value, "received_at", problems) ?? now;
  return receivedAt > now + maxClockLeadMs ? now : receivedAt;
}

function readTimeSource(value: unknown, problems: string[]): "receipt" | undefined {
  if (value === undefined || value === null || value === "tracker") return undefined;
  if (value === "receipt") return value;
  problems.push(problem("time_source", `one of ${timeSources.join(", ")}`, value));
  return undefined;
}

function readSource(value: unknown, problems: string[]): PositionSource | null {
  if (value === undefined || value === null) return null;
  const source = positionSources.find((known) => known === value);
  if (source === undefined) problems.push(problem("source", `one of ${positionSources.join(", ")}`, value));
  return source ?? null;
}
