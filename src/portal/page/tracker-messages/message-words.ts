import type { SensorReport } from "../../../domain/frame.ts";
import { coordinatesOf } from "../../both-sides/places/place-name.ts";
import type { Show } from "../../both-sides/reading/show.ts";
import type { AdministrationTexts, Texts } from "../../both-sides/texts/texts.ts";

type MessageTexts = Pick<Texts, "map" | "alerts"> &
  Pick<AdministrationTexts, "trackerMessages"> & { readonly show: Show };
type Frame = Readonly<Record<string, unknown>>;
type Fact = readonly [term: string, value: string | null];

/** What a frame says, in the person's units and time zone. What it does not say is null. Pure. */
export function frameWords(frame: Frame, texts: MessageTexts): readonly Fact[] {
  const { trackerMessages: words, map, show } = texts;
  const number = (name: string, shown: (value: number) => string) => {
    const value = frame[name];
    return typeof value === "number" ? shown(value) : null;
  };
  const yesNo = (name: string, [yes, no]: readonly [string, string]) => {
    const value = frame[name];
    return typeof value === "boolean" ? (value ? yes : no) : null;
  };
  const text = (name: string) => (typeof frame[name] === "string" ? frame[name] : null);
  const { latitude, longitude, event, recorded_at } = frame;
  const hasPlace = typeof latitude === "number" && typeof longitude === "number";
  const facts: readonly Fact[] = [
    [words.fields.recorded, recorded_at === undefined ? null : show.time(Date.parse(String(recorded_at)), "second")],
    [map.coordinates, hasPlace ? coordinatesOf({ latitude, longitude }) : null],
    [words.fields.fix, yesNo("fix", [words.yes, words.no])],
    [words.fields.satellites, number("satellites", (count) => show.number(count))],
    [map.speed, number("speed_kmh", (kmh) => show.speed(kmh))],
    [
      words.fields.heading,
      number("heading_deg", (degrees) => `${show.number(degrees)}° ${show.compassPoint(degrees)}`),
    ],
    [map.ignition, yesNo("ignition", [map.on, map.off])],
    [words.fields.event, typeof event === "string" ? eventWords(event, texts) : null],
    [map.odometer, number("odometer_km", (km) => show.distance(km))],
    [map.supply, number("external_voltage_v", (volts) => `${show.number(volts, 1)} V`)],
    [words.fields.battery, number("battery_percent", (percent) => show.percent(percent))],
    [words.fields.altitude, number("altitude_m", (metres) => heightWords(metres, texts))],
    ["HDOP", number("hdop", (hdop) => show.number(hdop, 1))],
    [words.fields.accuracy, number("accuracy_m", (metres) => show.shortDistance(metres))],
    [words.fields.source, text("source")],
    [words.fields.driver, text("driver_id")],
  ];
  const sensors = Array.isArray(frame.sensors) ? (frame.sensors as readonly SensorReport[]) : [];
  return [...facts, ...sensors.map((sensor): Fact => [sensor.sensor, sensorWords(sensor, texts)])];
}

/** The name of a field that was out of bounds; as the server calls it, if people have no word for it. */
export function fieldWords(name: string, { trackerMessages: { fields }, map }: MessageTexts): string {
  const names: Readonly<Record<string, string>> = {
    latitude: map.coordinates,
    longitude: map.coordinates,
    altitude_m: fields.altitude,
    speed_kmh: map.speed,
    heading_deg: fields.heading,
    accuracy_m: fields.accuracy,
    satellites: fields.satellites,
    hdop: "HDOP",
    odometer_km: map.odometer,
    battery_percent: fields.battery,
    external_voltage_v: map.supply,
    driver_id: fields.driver,
  };
  return names[name] ?? name;
}

function eventWords(event: string, { alerts }: MessageTexts): string {
  const types: Readonly<Record<string, string>> = alerts.types;
  return types[event] ?? event.replaceAll("_", " ");
}

function heightWords(metres: number, { show }: MessageTexts): string {
  return show.distanceUnit === "km" ? `${show.number(metres)} m` : `${show.number(metres / 0.3048)} ft`;
}

function sensorWords(sensor: SensorReport, { show }: MessageTexts): string {
  const measured: Readonly<Record<string, unknown>> = { ...sensor };
  const shown = (name: string, words: (value: number) => string) => {
    const value = measured[name];
    return typeof value === "number" ? [words(value)] : [];
  };
  return [
    ...shown("level_percent", (percent) => show.percent(percent)),
    ...shown("volume_l", (litres) => show.volume(litres)),
    ...shown("temperature_c", (celsius) => show.temperature(celsius)),
    ...shown("humidity_percent", (percent) => show.percent(percent)),
    ...shown("pressure_kpa", (kpa) => `${show.number(kpa)} kPa`),
  ].join(" · ");
}
