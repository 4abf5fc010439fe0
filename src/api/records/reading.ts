import type { ReadingRow } from "../../store/readings.ts";
import { presenter } from "./body.ts";
import type { JsonWriter } from "./json-writer.ts";
import { closeBrace, keys, Literal, openBrace } from "./literal.ts";

const key = {
  ...keys("sensor", "recorded_at", "received_at", "latitude", "longitude", "level_percent", "volume_l"),
  ...keys("temperature_c", "humidity_percent", "axle", "wheel", "pressure_kpa"),
};
const fuel = new Literal(',"kind":"fuel"');
const temperature = new Literal(',"kind":"temperature"');
const tyre = new Literal(',"kind":"tyre"');
const value = new Literal(',"value":');
const inPercent = new Literal(',"unit":"%"');
const inLitres = new Literal(',"unit":"L"');
const inDegrees = new Literal(',"unit":"°C"');
const inKilopascal = new Literal(',"unit":"kPa"');

/** A record has the keys of its own kind only. */
export function writeReading(json: JsonWriter, row: ReadingRow): void {
  json.literal(openBrace);
  json.device(row.device_id, row.imei);
  switch (row.kind) {
    case "fuel": {
      const isVolume = row.level_milli_percent === null && row.volume_ml !== null;
      writeMeasured(
        json,
        row,
        fuel,
        isVolume ? row.volume_ml : row.level_milli_percent,
        isVolume ? inLitres : inPercent,
      );
      json.literal(key.level_percent);
      json.decimal(row.level_milli_percent, 3);
      json.literal(key.volume_l);
      json.decimal(row.volume_ml, 3);
      break;
    }
    case "temperature":
      writeMeasured(json, row, temperature, row.temperature_mc, inDegrees);
      json.literal(key.temperature_c);
      json.decimal(row.temperature_mc, 3);
      json.literal(key.humidity_percent);
      json.decimal(row.humidity_milli_percent, 3);
      break;
    case "tyre":
      writeMeasured(json, row, tyre, row.pressure_pa, inKilopascal);
      json.literal(key.axle);
      json.decimal(row.axle, 0);
      json.literal(key.wheel);
      json.decimal(row.wheel, 0);
      json.literal(key.pressure_kpa);
      json.decimal(row.pressure_pa, 3);
      json.literal(key.temperature_c);
      json.decimal(row.temperature_mc, 3);
      break;
  }
  json.literal(closeBrace);
}

function writeMeasured(json: JsonWriter, row: ReadingRow, kind: Literal, milli: number | null, unit: Literal): void {
  json.literal(kind);
  json.literal(key.sensor);
  json.text(row.sensor);
  json.literal(key.recorded_at);
  json.instant(row.recorded_at);
  json.literal(key.received_at);
  json.instant(row.received_at);
  json.literal(value);
  json.decimal(milli, 3);
  json.literal(unit);
  json.literal(key.latitude);
  json.decimal(row.latitude_e7, 7);
  json.literal(key.longitude);
  json.decimal(row.longitude_e7, 7);
}

export const presentReading = presenter(writeReading);
