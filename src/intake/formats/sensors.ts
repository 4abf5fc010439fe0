import { type SensorReport, sensorKinds } from "../../domain/frame.ts";
import { isObject } from "../../domain/text/raw-object.ts";
import { problem } from "./problems.ts";
import {
  expectedNumber,
  expectedText,
  fits,
  isVisibleText,
  type MeasuredName,
  readNumber,
  readText,
} from "./read-value.ts";

/** A lorry with a trailer has some twenty tyres and a few of everything else. */
const maxSensors = 64;
const none: readonly SensorReport[] = [];

type RawSensor = Readonly<Record<string, unknown>>;

/** The sensors of a frame. If one is wrong, adds to `problems`. */
export function readSensors(value: unknown, problems: string[]): readonly SensorReport[] {
  if (value === undefined || value === null) return none;
  if (!Array.isArray(value) || value.length > maxSensors) {
    problems.push(problem("sensors", `an array of at most ${maxSensors}`, value));
    return none;
  }
  const sensors: SensorReport[] = [];
  for (let index = 0; index < value.length; index++) {
    const sensor = readSensor(value[index], `sensors[${index}]`, problems);
    if (sensor === null) continue;
    // A reading is found by its sensor's name, so each name must be used once only.
    if (sensors.some((other) => other.kind === sensor.kind && other.sensor === sensor.sensor)) {
      problems.push(problem(`sensors[${index}].sensor`, `another name for each ${sensor.kind} sensor`, sensor.sensor));
    }
    sensors.push(sensor);
  }
  return sensors;
}

function readSensor(value: unknown, path: string, problems: string[]): SensorReport | null {
  if (!isObject(value)) {
    problems.push(problem(path, "an object", value));
    return null;
  }
  const raw = value as RawSensor;
  const kind = sensorKinds.find((known) => known === raw.kind);
  const number = (name: MeasuredName) => readNumber(raw[name], name, problems, `${path}.${name}`);
  const sensor = () => requiredName(raw, path, problems);
  switch (kind) {
    case "fuel":
      return { kind, sensor: sensor(), level_percent: number("level_percent"), volume_l: number("volume_l") };
    case "temperature": {
      const [name, temperature_c] = [sensor(), number("temperature_c")];
      return { kind, sensor: name, temperature_c, humidity_percent: number("humidity_percent") };
    }
    case "tyre": {
      const axle = requiredPlace(raw, "axle", path, problems);
      const wheel = requiredPlace(raw, "wheel", path, problems);
      const name = readText(raw.sensor, `${path}.sensor`, problems) ?? `axle_${axle}_wheel_${wheel}`;
      const [pressure_kpa, temperature_c] = [number("pressure_kpa"), number("temperature_c")];
      return { kind, sensor: name, axle, wheel, pressure_kpa, temperature_c };
    }
    case undefined:
      problems.push(problem(`${path}.kind`, `one of ${sensorKinds.join(", ")}`, raw.kind));
      return null;
  }
}

function requiredName(raw: RawSensor, path: string, problems: string[]): string {
  const { sensor } = raw;
  if (isVisibleText(sensor)) return sensor;
  problems.push(problem(`${path}.sensor`, expectedText, sensor));
  return "";
}

function requiredPlace(raw: RawSensor, name: "axle" | "wheel", path: string, problems: string[]): number {
  const place = raw[name];
  if (fits(place, name)) return place;
  problems.push(problem(`${path}.${name}`, expectedNumber(name), place));
  return 0;
}
