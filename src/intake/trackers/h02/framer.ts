import { bcd } from "../kit/bytes.ts";
import type { Cut } from "../kit/family.ts";
import { Marks, Seen } from "../kit/seen.ts";
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

export function cut(bytes: Uint8Array, seen = new Seen()): Cut {
  if (bytes[0] === star) return cutText(bytes, seen);
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
  const comma = bytes[at + commaAt];
  return isMakerOrNone(bytes[at + 1]) && isMakerOrNone(bytes[at + 2]) && (comma === undefined || comma === 0x2c);
}

const commaAt = 3;

function isMakerOrNone(byte: number | undefined): boolean {
  return byte === undefined || /\w/.test(String.fromCharCode(byte));
}

/** Up to `#`. A control character, or the start of another message, shows that the end of this one was lost. */
function cutText(bytes: Uint8Array, seen: Seen): Cut {
  if (!mayBeText(bytes, 0)) return noiseTo(bytes, mayStart);
  const end = Math.min(bytes.length, maxMessageBytes);
  const at = seen.memory(newBounds).first(bytes, seen.offset, 1, end);
  if (at > 0 && bytes[at] === hash) return messageWithLineEnd(bytes, at + 1);
  return at > 0 || bytes.length >= maxMessageBytes ? noiseTo(bytes, mayStart) : { kind: "incomplete" };
}

/** Where a text ends, or shows that it has lost its end. */
const newBounds = () =>
  new Marks((bytes, at) => {
    const byte = bytes[at];
    if (byte === star) return at + commaAt < bytes.length && mayBeText(bytes, at);
    return byte === hash || isControl(byte);
  }, commaAt);

/** Answers to an SMS have line ends. */
function isControl(byte: number | undefined): boolean {
  return byte !== undefined && byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09;
}

/** The largest hour, minute, second, day, month and year. */
const clockLimits = [23, 59, 59, 31, 12, 99] as const;

/** Digits of the number, a time of day, and a date or zeros. They show that a message starts there: there is no end mark before it. */
function hasClock(bytes: Uint8Array, at: number, { idBytes }: BinaryLayout): boolean {
  for (let index = 0; index < idBytes + clockLimits.length; index++) {
    const byte = bytes[at + 1 + index];
    if (byte === undefined) return true;
    const isPadded = idBytes === imei.idBytes && index === idBytes - 1;
    const value = bcd(isPadded ? byte & 0xf0 : byte);
    const limit = index < idBytes ? 99 : (clockLimits[index - idBytes] ?? 99);
    if (!(value <= limit)) return false;
  }
  return true;
}

/** Latitude, a byte, longitude with the flags, knots and the first digit of degrees: the largest digits, x for any half byte. */
const placeLimits = Array.from("99599999xx199599999x9993", (limit) => Number.parseInt(limit.replace("x", "f"), 16));
const placeNumbers = [
  { from: 0, digits: 2, most: 90 },
  { from: 10, digits: 3, most: 180 },
] as const;

/** All within their bounds, as far as they have come. */
function hasPlace(bytes: Uint8Array, at: number, { idBytes }: BinaryLayout): boolean {
  const halfByte = (index: number) => {
    const byte = bytes[at + 7 + idBytes + (index >> 1)] ?? 0;
    return index % 2 === 0 ? byte >> 4 : byte & 15;
  };
  for (const [index, limit] of placeLimits.entries()) if (halfByte(index) > limit) return false;
  for (const { from, digits, most } of placeNumbers) {
    let number = 0;
    for (let index = from; index < from + digits; index++) number = number * 10 + halfByte(index);
    if (number > most) return false;
  }
  return true;
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
