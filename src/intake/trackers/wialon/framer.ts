import type { Cut } from "../kit/family.ts";
import { Marks, Seen } from "../kit/seen.ts";
import { isDigit, messageWithLineEnd, noiseTo } from "../kit/text-cut.ts";

/** A black box of some hundred records. */
export const maxMessageBytes = 16 * 1024;

const hash = 0x23;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** The first byte of a compressed packet: two bytes of its length follow. */
export const compressedStart = 0xff;
export const compressedHeadBytes = 3;

/** Version and number stand before the packet over UDP: `2.0;353173060870931`. */
const maxPrefixBytes = 40;
/** One to three capitals. */
const maxTypeBytes = 3;

/** `#TYPE#…` up to the end of the line. */
export function cut(bytes: Uint8Array, seen = new Seen()): Cut {
  if (bytes[0] === compressedStart) return cutCompressed(bytes);
  if (!mayBePacket(bytes)) return noiseTo(bytes, mayStart);
  const end = Math.min(bytes.length, maxMessageBytes);
  const { lineEnds, starts } = seen.memory(newMemory);
  const lineEnd = lineEnds.first(bytes, seen.offset, 1, end);
  // What was before its type is the packet's own.
  const own = Math.max(1, bytes.subarray(0, maxPrefixBytes + 1).indexOf(hash) + 1);
  const next = starts.first(bytes, seen.offset, own, lineEnd < 0 ? end : lineEnd);
  if (next > 0) return { kind: "message", length: next };
  if (lineEnd > 0) return messageWithLineEnd(bytes.subarray(0, maxMessageBytes), lineEnd + 1);
  return end < maxMessageBytes ? { kind: "incomplete" } : noiseTo(bytes, mayStart);
}

const newMemory = () => ({
  lineEnds: new Marks((bytes, at) => bytes[at] === lineFeed || bytes[at] === carriageReturn),
  starts: new Marks((bytes, at) => bytes[at] === hash && typeAt(bytes, at) === "whole", maxTypeBytes + 2),
});

function cutCompressed(bytes: Uint8Array): Cut {
  const [, low, high] = bytes;
  if (high === undefined || low === undefined) return { kind: "incomplete" };
  const length = compressedHeadBytes + low + high * 256;
  if (length === compressedHeadBytes || length > maxMessageBytes) return noiseTo(bytes, mayStart);
  return bytes.length < length ? { kind: "incomplete" } : { kind: "message", length };
}

/** A packet begins here, as far as it has come. */
function mayBePacket(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length && at < maxPrefixBytes && isOfPrefix(bytes[at])) at++;
  if (at === bytes.length) return true;
  return bytes[at] === hash && typeAt(bytes, at) !== "none";
}

/** Letters, digits, point, semicolon, hyphen and underscore. */
function isOfPrefix(byte = 0): boolean {
  const isLetter = (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
  return isLetter || isDigit(byte) || byte === 0x2e || byte === 0x3b || byte === 0x2d || byte === 0x5f;
}

function typeAt(bytes: Uint8Array, at: number): "whole" | "begun" | "none" {
  let letters = 0;
  while (letters <= maxTypeBytes && isCapital(bytes[at + 1 + letters])) letters++;
  if (letters > maxTypeBytes) return "none";
  const after = bytes[at + 1 + letters];
  if (after === undefined) return "begun";
  return letters > 0 && after === hash ? "whole" : "none";
}

function isCapital(byte = 0): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

/** Within noise: at a type, or where a line begins. */
function mayStart(bytes: Uint8Array, at: number): boolean {
  return (bytes[at] === hash && typeAt(bytes, at) !== "none") || bytes[at - 1] === lineFeed;
}
