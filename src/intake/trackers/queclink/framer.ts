import { bytesOf, u16At } from "../kit/bytes.ts";
import type { Cut } from "../kit/family.ts";
import { Marks, Seen } from "../kit/seen.ts";

/** Fifteen positions in one message take some 1,500 bytes, a dump of all settings some 3,000. */
export const maxMessageBytes = 4_096;

/** Line ends before a message belong to it: some firmware writes them after each, and they are no fault of the line. */
const lineEnds: readonly (number | undefined)[] = [0x0d, 0x0a];
const maxLineEnds = 4;
const maxBytes = maxMessageBytes - maxLineEnds;

const plus = 0x2b;
/** Instead of the plus in stored reports of the second generation. */
const minus = 0x2d;
const dollar = 0x24;
/** Old firmware ends a message with a zero byte instead. */
const zero = 0;

const textStarts = ["+RESP:GT", "+BUFF:GT", "+ACK:GT", "+NACK:GT"].map(bytesOf);
const maxTextStart = Math.max(...textStarts.map(({ length }) => length));

/** Where a binary report has its length, in how many bytes, and how it ends. */
interface BinaryStart {
  readonly start: Uint8Array;
  readonly at: number;
  readonly size: 1 | 2;
  readonly tail: Uint8Array;
}

const lineEnd = bytesOf("\r\n");

function named(at: number, size: 1 | 2, names: string): readonly BinaryStart[] {
  return names.split(" ").map((name) => ({ start: bytesOf(`+${name}`), at, size, tail: lineEnd }));
}

/** We cut them out whole, so that they can be named and what follows can be read. INF has its length in one of two places. */
const binaryStarts: readonly BinaryStart[] = [
  ...named(9, 2, "RSP BSP EVT BVT CAN DAT INF BNF"),
  ...named(7, 2, "INF BNF"),
  ...named(6, 2, "CRD BRD LGN"),
  ...named(6, 1, "ACK"),
  ...named(5, 1, "HBD"),
  ...named(4, 1, "ATI"),
  // The second generation, @Track Protocol Pro: reports and heartbeats.
  { start: Uint8Array.of(plus, 0x00), at: 2, size: 2, tail: Uint8Array.of(dollar) },
  { start: Uint8Array.of(minus, 0x00), at: 2, size: 2, tail: Uint8Array.of(dollar) },
  { start: Uint8Array.of(plus, 0x10), at: 2, size: 1, tail: Uint8Array.of(dollar) },
];

const minBinaryBytes = 11;

const binaryBySecond = Map.groupBy(binaryStarts, ({ start }) => start[1] ?? 0);
const secondBytes = new Set([...textStarts, ...binaryStarts.map(({ start }) => start)].map((start) => start[1] ?? 0));

/** A message begins with one of the starts above. Text ends with `$`, or where the next message begins if its end was lost. */
export function cut(bytes: Uint8Array, seen = new Seen()): Cut {
  let from = 0;
  while (from < maxLineEnds && lineEnds.includes(bytes[from])) from++;
  if (from === bytes.length) return { kind: "incomplete" };
  if (from === 0) return cutFromStart(bytes, seen.offset, seen.memory(newBounds));
  const found = cutFromStart(bytes.subarray(from), seen.offset + from, seen.memory(newBounds));
  return found.kind === "incomplete" ? found : { ...found, length: from + found.length };
}

/** Where a text ends, or another begins. */
const newBounds = () => new Marks((bytes, at) => isTextEnd(bytes[at]) || isTextStart(bytes, at), maxTextStart);

function cutFromStart(bytes: Uint8Array, offset: number, bounds: Marks): Cut {
  if ((bytes[0] !== plus && bytes[0] !== minus) || !mayStart(bytes, 0)) return noiseToNextStart(bytes);
  if (isTextStart(bytes, 0)) return cutText(bytes, offset, bounds);
  // "+ACK:" is text, "+ACK" with another byte is binary, so text is asked first.
  if (textStarts.some((start) => couldBecome(bytes, start))) return { kind: "incomplete" };
  let isIncomplete = false;
  for (const binary of binaryStartsLike(bytes)) {
    const found = cutBinary(bytes, binary);
    if (found?.kind === "message") return found;
    isIncomplete ||= found?.kind === "incomplete";
  }
  return isIncomplete ? { kind: "incomplete" } : noiseToNextStart(bytes);
}

/** Those with the same second byte, if it has come. */
function binaryStartsLike(bytes: Uint8Array): readonly BinaryStart[] {
  return bytes.length < 2 ? binaryStarts : (binaryBySecond.get(bytes[1] ?? 0) ?? []);
}

function cutText(bytes: Uint8Array, offset: number, bounds: Marks): Cut {
  const end = Math.min(bytes.length, maxBytes);
  const at = bounds.first(bytes, offset, 1, end);
  if (at > 0) return { kind: "message", length: isTextEnd(bytes[at]) ? at + 1 : at };
  return end < maxBytes ? { kind: "incomplete" } : noiseToNextStart(bytes);
}

function isTextEnd(byte: number | undefined): boolean {
  return byte === dollar || byte === zero;
}

function isTextStart(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === plus && textStarts.some((start) => startsWith(bytes, start, at));
}

/** Null: none of this kind. */
function cutBinary(bytes: Uint8Array, { start, at, size, tail }: BinaryStart): Cut | null {
  if (couldBecome(bytes, start)) return { kind: "incomplete" };
  if (!startsWith(bytes, start)) return null;
  if (bytes.length < at + size) return { kind: "incomplete" };
  const length = size === 1 ? (bytes[at] ?? 0) : u16At(bytes, at);
  if (length < minBinaryBytes || length > maxBytes) return null;
  if (bytes.length < length) return { kind: "incomplete" };
  return startsWith(bytes, tail, length - tail.length) ? { kind: "message", length } : null;
}

function noiseToNextStart(bytes: Uint8Array): Cut {
  let next = bytes.indexOf(plus, 1);
  while (next >= 0 && !mayStart(bytes, next)) next = bytes.indexOf(plus, next + 1);
  return { kind: "noise", length: next < 0 ? bytes.length : next };
}

/** Most pluses within noise have another byte behind them than any start. */
function mayStart(bytes: Uint8Array, at: number): boolean {
  return at + 1 === bytes.length || secondBytes.has(bytes[at + 1] ?? 0);
}

function startsWith(bytes: Uint8Array, start: Uint8Array, at = 0): boolean {
  return at + start.length <= bytes.length && isAlike(bytes, start, at, start.length);
}

function couldBecome(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length < start.length && isAlike(bytes, start, 0, bytes.length);
}

function isAlike(bytes: Uint8Array, start: Uint8Array, at: number, length: number): boolean {
  for (let index = 0; index < length; index++) if (bytes[at + index] !== start[index]) return false;
  return true;
}
