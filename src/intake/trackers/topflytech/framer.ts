import { bcd } from "../kit/bytes.ts";
import type { Cut } from "../kit/family.ts";
import { noiseTo } from "../kit/text-cut.ts";

/** Answers to commands have two bytes a character. */
export const maxMessageBytes = 2_048;

/** Two equal bytes: simple vehicles, vehicles, trackers at the diagnostic socket, portable ones. */
export const [plain, vehicle, obd, portable] = [0x23, 0x25, 0x26, 0x27];
const starts: ReadonlySet<number | undefined> = new Set([plain, vehicle, obd, portable]);

const typeAt = 2;
export const lengthAt = 3;
/** A protected one is a little longer. */
const maxDeclaredBytes = maxMessageBytes - 32;
const idAt = 7;
const idBytes = 8;
/** Start, type, length, serial number, IMEI. */
export const topflytechHeadBytes = idAt + idBytes;

/** The length is that of the whole message. */
export function cut(bytes: Uint8Array): Cut {
  if (!mayStart(bytes, 0)) return noiseTo(bytes, mayStart);
  const declared = lengthOf(bytes, 0);
  const length = declared === null ? null : wholeLength(bytes, declared);
  return length === null || bytes.length < length ? { kind: "incomplete" } : { kind: "message", length };
}

/** Messages that are lists of elements. Behind their checksum is a byte that says how they are protected. */
export const [elementPosition, elementAlarm] = [0x62, 0x64];
const protectionAt = topflytechHeadBytes + 1;
const signedBit = 0x10;
export const encryptedBit = 0x20;
const [signatureBytes, blockBytes] = [8, 16];

/** With the signature, which the length does not count, or in whole blocks of its encryption. Null: the byte has not come. */
function wholeLength(bytes: Uint8Array, declared: number): number | null {
  const isOfElements = bytes[typeAt] === elementPosition || bytes[typeAt] === elementAlarm;
  if (!isOfElements || declared <= protectionAt) return declared;
  const protection = bytes[protectionAt];
  if (protection === undefined) return null;
  if ((protection & signedBit) !== 0) return declared + signatureBytes;
  const clear = protectionAt + 1;
  return (protection & encryptedBit) === 0
    ? declared
    : clear + (Math.floor((declared - clear) / blockBytes) + 1) * blockBytes;
}

/** Null: it has not come. */
function lengthOf(bytes: Uint8Array, at: number): number | null {
  const [high, low] = [bytes[at + lengthAt], bytes[at + lengthAt + 1]];
  return high === undefined || low === undefined ? null : high * 256 + low;
}

/** As far as it has come: an IMEI is a zero and fifteen digits, two in a byte. */
function mayStart(bytes: Uint8Array, at: number): boolean {
  const [first, second] = [bytes[at], bytes[at + 1]];
  if (!starts.has(first) || (second !== undefined && second !== first)) return false;
  const length = lengthOf(bytes, at);
  if (length !== null && (length < topflytechHeadBytes || length > maxDeclaredBytes)) return false;
  for (let index = 0; index < idBytes; index++) {
    const byte = bytes[at + idAt + index];
    if (byte === undefined) return true;
    if (Number.isNaN(bcd(byte)) || (index === 0 && byte > 9)) return false;
  }
  return true;
}
