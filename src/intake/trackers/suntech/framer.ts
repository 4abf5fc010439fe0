import { textOf } from "../kit/bytes.ts";
import type { Cut } from "../kit/family.ts";
import { messageWithLineEnd, noiseTo } from "../kit/text-cut.ts";
import { dataWithin } from "./message.ts";

/** A part of a crash report is the longest. */
export const maxMessageBytes = 4_096;

const [carriageReturn, lineFeed, semicolon, capitalS] = [0x0d, 0x0a, 0x3b, 0x53];
const zipStart = 0x02;
const zipEnd = 0x03;

/** `ST300STT;`, `SA200ALV;`, `ST910;`, or in the universal protocol `STT;`. */
const wholeHeader = /^(?:S[AT]\d{3,4}[A-Z]{3}|ST9\d\d|[A-Z]{3})$/;
const headerSoFar = /^(?:S[AT]\d{1,4}[A-Z]{0,3}|[A-Z]{1,3})$/;
const legacyHeader = /^S[AT]\d{3,4}[A-Z]{3}$/;
/** Three letters are too few to be sure within a line; behind a line end, these are. */
const headerOfLine = /^(?:S[AT]\d{3,4}[A-Z]{3}|STT|ALT|ALV|UEX)$/;
const maxHeaderBytes = 9;

/** Text ends with a carriage return. Two binary forms begin with bytes that no text has, and have a length. */
export function cut(bytes: Uint8Array): Cut {
  if (mayBeBinary(bytes, 0)) return cutBinary(bytes);
  const header = headerAt(bytes, 0);
  if (header === null) return noiseTo(bytes, mayStart);
  return header.isWhole ? cutText(bytes) : { kind: "incomplete" };
}

function mayStart(bytes: Uint8Array, at: number): boolean {
  return headerAt(bytes, at) !== null || mayBeBinary(bytes, at);
}

/** What is there of a header; null: none is there. */
function headerAt(bytes: Uint8Array, at: number): { readonly isWhole: boolean; readonly text: string } | null {
  const first = bytes[at] ?? 0;
  if (first < 0x41 || first > 0x5a) return null;
  let end = at + 1;
  while (end < bytes.length && end - at <= maxHeaderBytes && isHeaderByte(bytes[end])) end++;
  const text = textOf(bytes.subarray(at, end));
  if (end === bytes.length) return headerSoFar.test(text) ? { isWhole: false, text } : null;
  return bytes[end] === semicolon && wholeHeader.test(text) ? { isWhole: true, text } : null;
}

function isHeaderByte(byte = 0): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x30 && byte <= 0x39);
}

function cutText(bytes: Uint8Array): Cut {
  const end = Math.min(bytes.length, maxMessageBytes);
  const { from, to } = dataWithin(textOf(bytes.subarray(0, end))) ?? { from: 0, to: 0 };
  for (let at = 1; at < end; at++) {
    const isData = at >= from && at < to;
    if (isLineEnd(bytes[at])) {
      if (!isData) return messageWithLineEnd(bytes.subarray(0, maxMessageBytes), at + 1);
      // What a serial device sends may have line ends; a whole header behind one shows that the length was wrong.
      if (isHeader(bytes, at + 1, headerOfLine)) return { kind: "message", length: at + 1 };
    } else if (!isData && bytes[at] === capitalS && isHeader(bytes, at, legacyHeader)) {
      return { kind: "message", length: at };
    }
  }
  return end < maxMessageBytes ? { kind: "incomplete" } : noiseTo(bytes, mayStart);
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === carriageReturn || byte === lineFeed;
}

function isHeader(bytes: Uint8Array, at: number, form: RegExp): boolean {
  const header = headerAt(bytes, at);
  return header?.isWhole === true && form.test(header.text);
}

/** A kind, a length in two bytes and the digits of the number; in zip messages the kind comes after the length. */
function mayBeBinary(bytes: Uint8Array, at: number): boolean {
  const [first = 0, high = 0] = bytes.subarray(at, at + 2);
  const isZip = first === zipStart;
  if (!isZip && (first < 0x81 || first > 0x9f)) return false;
  const idAt = at + (isZip ? 4 : 3);
  const id = bytes.subarray(idAt, idAt + 5);
  return high <= 3 && id.every((byte) => byte >> 4 < 10 && (byte & 15) < 10);
}

const minBinaryBytes = 10;

function cutBinary(bytes: Uint8Array): Cut {
  const [first, high, low] = bytes;
  if (high === undefined || low === undefined) return { kind: "incomplete" };
  const isZip = first === zipStart;
  const length = 3 + high * 256 + low + (isZip ? 1 : 0);
  if (length < minBinaryBytes) return noiseTo(bytes, mayStart);
  if (bytes.length < length) return { kind: "incomplete" };
  const isWhole = !isZip || bytes[length - 1] === zipEnd;
  return isWhole ? { kind: "message", length } : noiseTo(bytes, mayStart);
}
