import { type ByteReader, bcd } from "../kit/bytes.ts";
import { utcTime } from "../kit/values.ts";

/** The standard has all times in GMT+8, wherever the vehicle is. */
export const standardZoneMinutes = 8 * 60;

/** YY-MM-DD-hh-mm-ss as six pairs of digits, in ms since 1970; null if there is no such time. */
export function readTime(reader: ByteReader, zoneMinutes = standardZoneMinutes): number | null {
  const local = utcTime(Array.from(reader.take(6), bcd));
  return local === null ? null : local - zoneMinutes * 60_000;
}

/** A number below 100 as a pair of digits. */
export function bcdOf(value: number): number {
  return Math.floor(value / 10) * 16 + (value % 10);
}
