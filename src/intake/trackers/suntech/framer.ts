import { bcd, textOf } from "../kit/bytes.ts";
import type { Cut } from "../kit/family.ts";
import { Marks, Seen } from "../kit/seen.ts";
import { isDigit, messageWithLineEnd, noiseTo } from "../kit/text-cut.ts";
import { type DataWithin, dataWithin, isLineEnd, mayHaveData } from "./message.ts";

/** A part of a crash report is the longest. */
export const maxMessageBytes = 4_096;

const [semicolon, capitalA, capitalS, capitalT, digit9] = [0x3b, 0x41, 0x53, 0x54, 0x39];
const zipStart = 0x02;
const zipEnd = 0x03;

/** How headers begin: `ST300STT;`, `SA200ALV;` in the older protocols, `ST910;`, and `STT;` in the universal one. */
type HeaderForm = "legacy" | "st9" | "universal";
/** A header, or what has come of one. */
interface Header {
  readonly form: HeaderForm;
  readonly length: number;
  readonly isWhole: boolean;
}

/** Three letters are too few to be sure within a line; behind a line end, these are. */
const kindsOfLine: ReadonlySet<string> = new Set(["STT", "ALT", "ALV", "UEX"]);
const maxHeaderBytes = 9;

/** Text ends with a carriage return. Two binary forms begin with bytes that no text has, and have a length. */
export function cut(bytes: Uint8Array, seen = new Seen()): Cut {
  if (mayBeBinary(bytes, 0)) return cutBinary(bytes);
  const header = headerAt(bytes, 0);
  if (header === null) return noiseTo(bytes, mayStart);
  return header.isWhole ? cutText(bytes, seen) : { kind: "incomplete" };
}

function mayStart(bytes: Uint8Array, at: number): boolean {
  return headerAt(bytes, at) !== null || mayBeBinary(bytes, at);
}

/** Null: none is there. It reads no text: it is asked about nearly every byte of what is no message. */
function headerAt(bytes: Uint8Array, at: number): Header | null {
  if (!isCapital(bytes[at])) return null;
  const letters = countWhile(bytes, at, 4, isCapital);
  if (isDigit(bytes[at + letters])) return numberedHeaderAt(bytes, at, letters);
  if (at + letters === bytes.length) return letters > 3 ? null : { form: "universal", length: letters, isWhole: false };
  return letters === 3 && bytes[at + 3] === semicolon ? { form: "universal", length: 3, isWhole: true } : null;
}

/** `S`, `A` or `T`, digits; then three letters, but for ST910 and its relatives. */
function numberedHeaderAt(bytes: Uint8Array, at: number, letters: number): Header | null {
  const second = bytes[at + 1];
  if (letters !== 2 || bytes[at] !== capitalS || (second !== capitalA && second !== capitalT)) return null;
  const digits = countWhile(bytes, at + 2, 5, isDigit);
  const kind = countWhile(bytes, at + 2 + digits, 4, isCapital);
  const length = 2 + digits + kind;
  if (at + length === bytes.length) return digits > 4 || kind > 3 ? null : { form: "legacy", length, isWhole: false };
  if (bytes[at + length] !== semicolon) return null;
  if (kind === 3 && (digits === 3 || digits === 4)) return { form: "legacy", length, isWhole: true };
  const isSt9 = second === capitalT && bytes[at + 2] === digit9 && digits === 3 && kind === 0;
  return isSt9 ? { form: "st9", length, isWhole: true } : null;
}

/** How many bytes in a row are such, up to a number. */
function countWhile(bytes: Uint8Array, from: number, most: number, isSuch: (byte?: number) => boolean): number {
  let count = 0;
  while (count < most && isSuch(bytes[from + count])) count++;
  return count;
}

function isCapital(byte = 0): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

/** Where the message that starts there has data, by its columns up to `end`. */
interface KnownData {
  readonly start: number;
  readonly end: number;
  readonly data: DataWithin | null;
}

const newMemory = () => ({
  known: { start: -1, end: 0, data: null } as KnownData,
  semicolons: new Marks((bytes, at) => bytes[at] === semicolon),
  lineEnds: new Marks((bytes, at) => isLineEnd(bytes[at])),
  legacyStarts: new Marks(isLegacyStart, maxHeaderBytes + 1),
  linesWithHeader: new Marks(endsBeforeHeader, maxHeaderBytes + 2),
});

function cutText(bytes: Uint8Array, seen: Seen): Cut {
  const end = Math.min(bytes.length, maxMessageBytes);
  const { lineEnds, legacyStarts, linesWithHeader } = seen.memory(newMemory);
  const first = (marks: Marks, from: number, to: number) => marks.first(bytes, seen.offset, from, to);
  const cutIn = (from: number, to: number): Cut | null => {
    const lineEnd = first(lineEnds, from, to);
    const start = first(legacyStarts, from, lineEnd < 0 ? to : lineEnd);
    // The next message begins: the end of this one was lost.
    if (start >= 0) return { kind: "message", length: start };
    return lineEnd < 0 ? null : messageWithLineEnd(bytes.subarray(0, maxMessageBytes), lineEnd + 1);
  };
  const data = rememberedData(bytes.subarray(0, end), seen) ?? { from: end, to: end };
  const before = cutIn(1, Math.min(data.from, end));
  if (before !== null) return before;
  // What a serial device sends may have line ends; a whole header behind one shows that the length was wrong.
  const wrongAt = first(linesWithHeader, data.from, Math.min(data.to, end));
  if (wrongAt >= 0) return { kind: "message", length: wrongAt + 1 };
  return cutIn(data.to, end) ?? (end < maxMessageBytes ? { kind: "incomplete" } : noiseTo(bytes, mayStart));
}

/** As `dataWithin`, but columns that have come in many small pieces are not read again with each of them. */
function rememberedData(bytes: Uint8Array, seen: Seen): DataWithin | null {
  if (!mayHaveData(bytes)) return null;
  const memory = seen.memory(newMemory);
  const { start, end, data } = memory.known;
  const isSame = start === seen.offset;
  const isUnchanged =
    isSame && (data !== null || memory.semicolons.first(bytes, seen.offset, Math.min(end, bytes.length)) < 0);
  memory.known = { start: seen.offset, end: bytes.length, data: isUnchanged ? data : dataWithin(bytes) };
  return memory.known.data;
}

function isLegacyStart(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== capitalS) return false;
  const header = headerAt(bytes, at);
  return header?.isWhole === true && header.form === "legacy";
}

function endsBeforeHeader(bytes: Uint8Array, at: number): boolean {
  const header = isLineEnd(bytes[at]) ? headerAt(bytes, at + 1) : null;
  if (header?.isWhole !== true) return false;
  if (header.form !== "universal") return header.form === "legacy";
  return kindsOfLine.has(textOf(bytes.subarray(at + 1, at + 1 + header.length)));
}

/** A kind, a length in two bytes and the digits of the number; in zip messages the kind comes after the length. */
function mayBeBinary(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at] ?? 0;
  const isZip = first === zipStart;
  if ((!isZip && (first < 0x81 || first > 0x9f)) || (bytes[at + 1] ?? 0) > 3) return false;
  const idAt = at + (isZip ? 4 : 3);
  for (let index = idAt; index < idAt + 5; index++) if (Number.isNaN(bcd(bytes[index] ?? 0))) return false;
  return true;
}

const minBinaryBytes = 10;

function cutBinary(bytes: Uint8Array): Cut {
  const [high, low] = [bytes[1], bytes[2]];
  if (high === undefined || low === undefined) return { kind: "incomplete" };
  const isZip = bytes[0] === zipStart;
  const length = 3 + high * 256 + low + (isZip ? 1 : 0);
  if (length < minBinaryBytes) return noiseTo(bytes, mayStart);
  if (bytes.length < length) return { kind: "incomplete" };
  const isWhole = !isZip || bytes[length - 1] === zipEnd;
  return isWhole ? { kind: "message", length } : noiseTo(bytes, mayStart);
}
