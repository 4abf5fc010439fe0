import { u16At } from "../kit/bytes.ts";
import type { Cut } from "../kit/family.ts";
import { noiseTo } from "../kit/text-cut.ts";

/** Trackers keep a packet within 1 KB. */
export const maxMessageBytes = 2_048;

export const lengthBytes = 2;
export const ruptelaChecksumBytes = 2;
/** IMEI and command. */
const headBytes = 8 + 1;

/** Records, settings, version, update, connection, odometer, SMS, trouble codes, identification, heartbeat, outputs, files, records. */
const commands: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 18, 30, 37, 68]);

/** A length, the IMEI as a number, the command and its data, and a checksum. */
export function cut(bytes: Uint8Array): Cut {
  if (!mayStart(bytes, 0)) return noiseTo(bytes, mayStart);
  if (bytes.length < lengthBytes) return { kind: "incomplete" };
  const total = lengthBytes + u16At(bytes, 0) + ruptelaChecksumBytes;
  return bytes.length < total ? { kind: "incomplete" } : { kind: "message", length: total };
}

/** As far as it has come. An IMEI of 15 digits has zeros in its upper two bytes and little in the third. */
function mayStart(bytes: Uint8Array, at: number): boolean {
  const [high = 0, low, first = 0, second = 0, third] = bytes.subarray(at, at + 5);
  const command = bytes[at + lengthBytes + headBytes - 1];
  const total = lengthBytes + high * 256 + (low ?? 0xff) + ruptelaChecksumBytes;
  const isLength =
    low === undefined || (total >= lengthBytes + headBytes + ruptelaChecksumBytes && total <= maxMessageBytes);
  // 999,999,999,999,999 is 0x38d7ea4c67fff.
  const isImei = first === 0 && second <= 0x03 && (second < 0x03 || third === undefined || third <= 0x8d);
  return isLength && high < maxMessageBytes >> 8 && isImei && (command === undefined || commands.has(command));
}
