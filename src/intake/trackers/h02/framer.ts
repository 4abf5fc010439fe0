import { bcd } from "../kit/bytes.ts";
import type { Cut } from "../kit/family.ts";
import { messageWithLineEnd, noiseTo } from "../kit/text-cut.ts";

/** The longest text is the answer to an SMS, with the tracker's settings: some 200 characters. */
export const maxMessageBytes = 1_024;

const star = 0x2a;
const hash = 0x23;
const dollar = 0x24;
const capitalX = 0x58;

/** Where a binary message has what; the first 29 or 32 bytes mean the same in all models. */
export interface BinaryLayout {
  /** Bytes of the number by which the tracker calls itself, from byte 1. */
  readonly idBytes: number;
  /** Of the shortest message of this layout. */
  readonly minBytes: number;
}

const shortId: BinaryLayout = { idBytes: 5, minBytes: 32 };
const imei: BinaryLayout = { idBytes: 8, minBytes: 42 };

/** Most models send 32 or 45 bytes. Others add up to this many after the shortest form. */
const maxExtraBytes = 20;
const usualBytes = 45;

export function cut(bytes: Uint8Array): Cut {
  if (bytes[0] === star) return cutText(bytes);
  const layout = layoutAt(bytes, 0);
  if (layout === null) return noiseTo(bytes, mayStart);
  if (bytes.length < layout.minBytes) return { kind: "incomplete" };
  return { kind: "message", length: binaryLength(bytes, layout) };
}

/** The layout of the binary message that starts there, as far as its bytes have come; null: none starts there. */
export function layoutAt(bytes: Uint8Array, at: number): BinaryLayout | null {
  if (bytes[at] !== dollar && bytes[at] !== capitalX) return null;
  const isShort = hasClock(bytes, at, shortId);
  const isImei = bytes[at] === dollar && hasClock(bytes, at, imei) && hasPlace(bytes, at, imei);
  if (!isShort || !isImei) return isShort ? shortId : isImei ? imei : null;
  // Some can be read either way. Then the place decides, and at last the length.
  const isEither = hasPlace(bytes, at, shortId);
  return isEither && bytes.length - at !== imei.minBytes ? shortId : imei;
}

function mayStart(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === star ? mayBeText(bytes, at) : layoutAt(bytes, at) !== null;
}

/** `*`, two letters or digits of the maker, a comma. */
function mayBeText(bytes: Uint8Array, at: number): boolean {
  const isMakerOrNone = (byte: number | undefined) => byte === undefined || /\w/.test(String.fromCharCode(byte));
  const [, one, other, comma] = bytes.subarray(at, at + 4);
  return isMakerOrNone(one) && isMakerOrNone(other) && (comma === undefined || comma === 0x2c);
}

/** Up to `#`. A control character, or the start of another message, shows that the end of this one was lost. */
function cutText(bytes: Uint8Array): Cut {
  if (!mayBeText(bytes, 0)) return noiseTo(bytes, mayStart);
  const end = Math.min(bytes.length, maxMessageBytes);
  for (let at = 1; at < end; at++) {
    const byte = bytes[at];
    if (byte === hash) return messageWithLineEnd(bytes, at + 1);
    const isBroken = byte === star ? at + 3 < bytes.length && mayBeText(bytes, at) : isControl(byte);
    if (isBroken) return noiseTo(bytes, mayStart);
  }
  return bytes.length < maxMessageBytes ? { kind: "incomplete" } : noiseTo(bytes, mayStart);
}

/** Answers to an SMS have line ends. */
function isControl(byte: number | undefined): boolean {
  return byte !== undefined && byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09;
}

/** Digits of the number, a time of day, and a date or zeros. They tell a message from a byte within another, which has no end mark. */
function hasClock(bytes: Uint8Array, at: number, { idBytes }: BinaryLayout): boolean {
  const limits = [23, 59, 59, 31, 12, 99];
  for (let index = 0; index < idBytes + limits.length; index++) {
    const byte = bytes[at + 1 + index];
    if (byte === undefined) return true;
    const isPadded = idBytes === imei.idBytes && index === idBytes - 1;
    const value = isPadded ? bcd(byte & 0xf0) : bcd(byte);
    if (!(value <= (limits[index - idBytes] ?? 99))) return false;
  }
  return true;
}

/** Latitude, a byte, longitude with the flags, knots and degrees, all within their bounds. */
function hasPlace(bytes: Uint8Array, at: number, { idBytes }: BinaryLayout): boolean {
  const digits = bytes.subarray(at + 7 + idBytes, at + 19 + idBytes).toHex();
  const match = /^(\d\d)[0-5]\d{5}..(\d{3})[0-5]\d{5}.(\d{3})(\d{3})/.exec(digits.padEnd(26, "0"));
  return match !== null && Number(match[1]) <= 90 && Number(match[2]) <= 180 && Number(match[4]) <= 360;
}

/**
 * A message does not say how long it is. What follows the shortest form is left to it up to the next start: nothing after the first
 * bytes is read, so that a cut elsewhere changes nothing that is stored.
 */
function binaryLength(bytes: Uint8Array, { minBytes }: BinaryLayout): number {
  const isEnd = (at: number) => bytes.length === at || (bytes.length > at && mayStart(bytes, at));
  if (isEnd(minBytes)) return minBytes;
  if (isEnd(usualBytes)) return usualBytes;
  const end = Math.min(bytes.length, minBytes + maxExtraBytes);
  let length = minBytes + 1;
  while (length < end && !mayStart(bytes, length)) length++;
  return length;
}
