import { textOf } from "../kit/bytes.ts";
import { temperatureReport } from "../kit/sensors.ts";
import type { Gt06Report, Part } from "./report.ts";

export function skip(length: number): Part {
  return ({ reader }) => reader.skip(length);
}

/** The rest is known and has no field: cells, access points, phone numbers, names of files. */
export function rest({ reader }: Gt06Report): void {
  reader.skip(reader.left);
}

/** Hex of a card or an iButton; only zeros: none. */
export function driverTag(length: number): Part {
  return ({ reader, fields }) => {
    const tag = reader.take(length).toHex();
    fields.driver_id = /[^0]/.test(tag) ? tag : null;
  };
}

/** Text with its length before it; blank or 0: none. */
export function driverCard({ reader, fields }: Gt06Report): void {
  const card = textOf(reader.take(reader.u8())).trim();
  fields.driver_id = /[^0]/.test(card) ? card : null;
}

export function addTemperature(
  report: Gt06Report,
  celsius: number,
  humidity: number | null = null,
  sensor = "1",
): void {
  report.sensors.push(temperatureReport(sensor, celsius, humidity));
}
