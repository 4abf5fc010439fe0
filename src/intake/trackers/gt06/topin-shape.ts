import { hasStop } from "./envelope.ts";

/**
 * The dialect of Topin (also sold as Zhongxun and 365GPS) has GT06's start, types and places, but neither serial number nor
 * checksum, and its length byte often holds something else. Only the form of its messages shows it.
 */

const login = 0x01;
const online = 0x10;
const offline = 0x11;

/** Start, length, type, IMEI, version, stop. GT06's own login has a serial number there, whose first byte is 0 at that time. */
const loginBytes = 15;
/** Start, length, type, time, place, stop; newer firmware adds altitude and alarms. */
const placeBytes = [24, 27];
/** More access points than any tracker lists. */
const maxAccessPoints = 0x1f;
const timeBytes = 6;
/** Address and signal. */
export const accessPointBytes = 7;
/** Country and operator of all cells. */
export const networkBytes = 3;

/** Of one cell, by the type of the message with access points and cells: the 4G ones have longer numbers of area and cell. */
export const cellBytesByType: ReadonlyMap<number, number> = new Map([
  [0x17, 5], // sent later
  [0x18, 9],
  [0x19, 9], // sent later
  [0x1a, 9],
  [0x1b, 9], // sent later
  [0x69, 5],
]);

/** The length of the message if it has a form of Topin's; "unknown" while that cannot be said yet; null if it has none. */
export function topinTotal(bytes: Uint8Array): number | "unknown" | null {
  if (bytes[0] !== 0x78) return null;
  const [length = 0, type] = [bytes[2], bytes[3]];
  switch (type) {
    case undefined:
      return "unknown";
    case login:
      return bytes[12] === 0 ? null : loginBytes;
    case online:
    case offline:
      return placeBytes.find((total) => total === length + 6) ?? null;
    default:
      return length <= maxAccessPoints ? networksTotal(bytes, length, cellBytesByType.get(type)) : null;
  }
}

/** A time in decimal digits, the access points, the number of cells, their network, the cells; newer firmware adds alarms. */
function networksTotal(
  bytes: Uint8Array,
  accessPoints: number,
  cellBytes: number | undefined,
): number | "unknown" | null {
  if (cellBytes === undefined) return null;
  const time = bytes.subarray(4, 4 + timeBytes);
  if (time.some((byte) => byte >> 4 > 9 || (byte & 15) > 9)) return null;
  const cellsAt = 4 + timeBytes + accessPointBytes * accessPoints;
  const cells = bytes[cellsAt];
  if (cells === undefined) return "unknown";
  const total = cellsAt + 1 + networkBytes + cellBytes * cells + 2;
  if (bytes.length < total) return "unknown";
  return hasStop(bytes, total) ? total : total + 1;
}
