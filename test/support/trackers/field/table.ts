import type { FieldMessage } from "../field-message.ts";

/**
 * Messages of text protocols, two lines each: the message as published, with `\n` for its line ends; then, indented, what it is and
 * what it means. A frame has a `time`. What is not named must be null: the place, ignition, battery, voltage, mileage, driver, event
 * and reply, and the problem.
 */
export function fieldTable(source: string, table: string): readonly FieldMessage[] {
  const lines = table.split("\n").filter((line) => line.trim() !== "");
  return Array.from({ length: lines.length / 2 }, (_, index) => {
    const [model = "", meaning = ""] = (lines[2 * index + 1] ?? "").split("|");
    const message = (lines[2 * index] ?? "").replaceAll("\\r", "\r").replaceAll("\\n", "\n");
    return { source, model: model.trim(), message, means: meansOf(meaning) };
  });
}

const columns = {
  lat: "latitude",
  lon: "longitude",
  speed: "speed_kmh",
  heading: "heading_deg",
  odometer: "odometer_km",
  battery: "battery_percent",
  volts: "external_voltage_v",
  sats: "satellites",
} as const;

function meansOf(text: string): FieldMessage["means"] {
  const values = new Map(
    text
      .trim()
      .split(/ (?=[a-z]+=)/)
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
  const { time, ignition, event, reply = null, problem = null } = Object.fromEntries(values) as Record<string, string>;
  if (time === undefined) return { frames: [], reply, problem };
  const measured = Object.entries(columns).flatMap(([short, name]) => {
    const value = values.get(short);
    return value === undefined ? [] : [[name, Number(value)] as const];
  });
  const frame = {
    latitude: null,
    longitude: null,
    battery_percent: null,
    odometer_km: null,
    external_voltage_v: null,
    driver_id: values.get("driver") ?? null,
    fix: values.get("fix") === "null" ? null : values.has("lat"),
    ...Object.fromEntries(measured),
    recordedAt: time,
    ignition: ignition === undefined ? null : ignition === "on",
  };
  const events = event === undefined ? [null] : event.split(",");
  return { frames: events.map((name) => ({ ...frame, event: name })), reply, problem };
}
