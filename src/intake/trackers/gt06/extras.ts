import { textOf } from "../kit/bytes.ts";
import { temperatureReport } from "../kit/sensors.ts";
import type { Gt06Report, Part } from "./report.ts";

/** What has no field, by its name. */
export function pass(length: number, name: string): Part {
  return ({ reader, unread }) => reader.pass(length, name, unread);
}

/** As `pass`, of all that follows. */
export function passRest(name: string): Part {
  return ({ reader, unread }) => reader.pass(reader.left, name, unread);
}

/** For messages of which nothing, or a time only, is read: then the message is named as a whole. */
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
