import { nothingReported, type SensorReport } from "../../../domain/frame.ts";
import { reportedFields } from "../../../domain/reported.ts";
import { fits, isVisibleText, type MeasuredName, trimmed } from "../../formats/read-value.ts";
import type { IncomingFrame } from "../../incoming-frame.ts";
import type { TrackerEvent } from "./events.ts";

/** A frame whose device the listener adds: it knows who is connected. */
export interface TrackerFrame extends Omit<IncomingFrame, "imei" | "receivedAt" | "recordedAt" | "alarmBytes"> {
  readonly recordedAt: number;
  /** An alarm with the time of its receipt: the same bytes again are the same alarm. */
  readonly mayRepeat?: boolean;
}

/** What a decoder read, in our units (`toKmh`, `metresToKm`). A field that is missing or null was not sent. */
export interface ReadFields extends Partial<Omit<TrackerFrame, "event" | "sensors" | "recordedAt" | "driver_id">> {
  readonly sensors?: readonly SensorReport[];
  /** Of an iButton or a card, as hex or text. */
  readonly driver_id?: string | null;
}

const placeFields = ["latitude", "longitude", "speed_kmh", "heading_deg", "altitude_m", "hdop"] as const;

/** What holds without a fix: what the tracker repeats of its last one does not. */
export function withoutPlace(read: ReadFields): ReadFields {
  return { ...read, ...Object.fromEntries(placeFields.map((name) => [name, null])) };
}

const measuredFields = reportedFields.filter((name) => name !== "ignition" && name !== "event");

const measuredOfSensor = [
  "level_percent",
  "volume_l",
  "temperature_c",
  "humidity_percent",
  "pressure_kpa",
] as const satisfies readonly MeasuredName[];

/**
 * The frames of one report: one for each event, or one without. Only the first has the sensors, so that each reading is stored
 * once. A value out of bounds is left out and its name added to `leftOut`: a tracker cannot correct itself, and its place is worth
 * more than the value.
 */
export function trackerFrames(
  recordedAt: number,
  read: ReadFields,
  events: readonly TrackerEvent[],
  leftOut: string[],
): readonly TrackerFrame[] {
  const driver_id = driverWithinBounds(read.driver_id, leftOut);
  const noSensors: readonly SensorReport[] = [];
  const frame = { ...nothingReported, ...read, recordedAt, event: null, sensors: noSensors, driver_id };
  for (const name of measuredFields) {
    const value = frame[name];
    if (value === null) continue;
    const isSound = fits(value, name);
    if (!isSound) leftOut.push(name);
    frame[name] = isSound ? value + 0 : null; // turns -0 into 0, so that equal frames have equal digests
  }
  // Half a place is none.
  if (frame.latitude === null || frame.longitude === null) Object.assign(frame, { latitude: null, longitude: null });
  frame.sensors = (read.sensors ?? []).flatMap((sensor) => sensorWithinBounds(sensor, leftOut));
  const [first, ...others] = new Set(events);
  if (first === undefined) return [frame];
  return [{ ...frame, event: first }, ...others.map((event) => ({ ...frame, event, sensors: [] }))];
}

function driverWithinBounds(driverId: string | null | undefined, leftOut: string[]): string | undefined {
  if (driverId === undefined || driverId === null) return undefined;
  const text = trimmed(driverId);
  if (isVisibleText(text)) return text;
  leftOut.push("driver_id");
  return undefined;
}

/** The sensor without the values that are out of bounds; nothing if none is left. */
function sensorWithinBounds(sensor: SensorReport, leftOut: string[]): readonly SensorReport[] {
  const kept: Record<string, unknown> = { ...sensor };
  for (const name of measuredOfSensor) {
    const value = kept[name];
    if (value === undefined || value === null || fits(value, name)) continue;
    leftOut.push(`${sensor.sensor} ${name}`);
    kept[name] = null;
  }
  const isEmpty = measuredOfSensor.every((name) => kept[name] === undefined || kept[name] === null);
  return isEmpty || !isVisibleText(sensor.sensor) ? [] : [kept as unknown as SensorReport];
}
