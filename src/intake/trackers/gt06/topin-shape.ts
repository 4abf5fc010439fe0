/**
 * The dialect of Topin (also sold as Zhongxun and 365GPS) has GT06's start, types and places, but neither serial number nor
 * checksum, and its length byte often holds something else. Only the form of its messages tells them.
 */

const login = 0x01;
const online = 0x10;
const offline = 0x11;
const wifiOffline = 0x17;
const wifiOnline = 0x69;

/** Start, length, type, IMEI, version, stop. GT06's own login has a serial number there, whose first byte is 0 at that time. */
const loginBytes = 15;
/** Start, length, type, time, place, stop; newer firmware adds altitude and alarms. */
const placeBytes = [24, 27];
/** More access points than any tracker lists. */
const maxAccessPoints = 0x1f;
const timeBytes = 6;

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
    case wifiOffline:
    case wifiOnline:
      return length <= maxAccessPoints ? wifiTotal(bytes, length) : null;
    default:
      return null;
  }
}

/** A time in decimal digits, the access points of 7 bytes, the number of cells, their network, and the cells of 5 bytes. */
function wifiTotal(bytes: Uint8Array, accessPoints: number): number | "unknown" | null {
  const time = bytes.subarray(4, 4 + timeBytes);
  if (time.some((byte) => byte >> 4 > 9 || (byte & 15) > 9)) return null;
  const cellsAt = 4 + timeBytes + 7 * accessPoints;
  const cells = bytes[cellsAt];
  return cells === undefined ? "unknown" : cellsAt + 1 + 3 + 5 * cells + 2;
}
