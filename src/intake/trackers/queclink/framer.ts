import { bytesOf } from "../kit/bytes.ts";
import type { Cut } from "../kit/family.ts";

/** Fifteen positions in one message take some 1,500 bytes, a dump of all settings some 3,000. */
export const maxMessageBytes = 4_096;

/** Line ends before a message belong to it: some firmware writes them after each, and they are no fault of the line. */
const lineEnds: readonly (number | undefined)[] = [0x0d, 0x0a];
const maxLineEnds = 4;
const maxBytes = maxMessageBytes - maxLineEnds;

const plus = 0x2b;
const dollar = 0x24;
/** Old firmware ends a message with a zero byte instead. */
const zero = 0;

const textStarts = ["+RESP:GT", "+BUFF:GT", "+ACK:GT", "+NACK:GT"].map(bytesOf);

/** Where a binary report has its length, and in how many bytes. We cut them out whole, so that they can be named. */
const binaryStarts = [
  { start: bytesOf("+RSP"), at: 9, size: 2 },
  { start: bytesOf("+BSP"), at: 9, size: 2 },
  { start: bytesOf("+EVT"), at: 9, size: 2 },
  { start: bytesOf("+BVT"), at: 9, size: 2 },
  { start: bytesOf("+INF"), at: 7, size: 2 },
  { start: bytesOf("+BNF"), at: 7, size: 2 },
  { start: bytesOf("+CRD"), at: 6, size: 2 },
  { start: bytesOf("+BRD"), at: 6, size: 2 },
  { start: bytesOf("+LGN"), at: 6, size: 2 },
  { start: bytesOf("+HBD"), at: 5, size: 1 },
  { start: bytesOf("+ACK"), at: 6, size: 1 },
  { start: Uint8Array.of(plus, zero), at: 2, size: 2 },
] as const;

const minBinaryBytes = 11;

/** A message begins with one of the starts above. Text ends with `$`, or where the next message begins if its end was lost. */
export function cut(bytes: Uint8Array): Cut {
  let from = 0;
  while (from < maxLineEnds && lineEnds.includes(bytes[from])) from++;
  if (from === bytes.length) return { kind: "incomplete" };
  const found = cutFromStart(bytes.subarray(from));
  return found.kind === "incomplete" ? found : { ...found, length: from + found.length };
}

function cutFromStart(bytes: Uint8Array): Cut {
  if (bytes[0] !== plus) return noiseToNextStart(bytes);
  if (textStarts.some((start) => startsWith(bytes, start))) return cutText(bytes);
  // "+ACK:" is text, "+ACK" with another byte is binary, so text is asked first.
  if (textStarts.some((start) => couldBecome(bytes, start))) return { kind: "incomplete" };
  const binary = binaryStarts.find(({ start }) => startsWith(bytes, start));
  if (binary !== undefined) return cutBinary(bytes, binary);
  if (binaryStarts.some(({ start }) => couldBecome(bytes, start))) return { kind: "incomplete" };
  return noiseToNextStart(bytes);
}

function cutText(bytes: Uint8Array): Cut {
  const end = Math.min(bytes.length, maxBytes);
  for (let at = 1; at < end; at++) {
    const byte = bytes[at];
    if (byte === dollar || byte === zero) return { kind: "message", length: at + 1 };
    if (byte === plus && textStarts.some((start) => startsWith(bytes, start, at)))
      return { kind: "message", length: at };
  }
  return end < maxBytes ? { kind: "incomplete" } : noiseToNextStart(bytes);
}

function cutBinary(bytes: Uint8Array, { at, size }: { readonly at: number; readonly size: 1 | 2 }): Cut {
  if (bytes.length < at + size) return { kind: "incomplete" };
  const length = size === 1 ? (bytes[at] ?? 0) : (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
  if (length < minBinaryBytes || length > maxBytes) return noiseToNextStart(bytes);
  return bytes.length < length ? { kind: "incomplete" } : { kind: "message", length };
}

function noiseToNextStart(bytes: Uint8Array): Cut {
  const next = bytes.indexOf(plus, 1);
  return { kind: "noise", length: next < 0 ? bytes.length : next };
}

function startsWith(bytes: Uint8Array, start: Uint8Array, at = 0): boolean {
  return at + start.length <= bytes.length && start.every((byte, index) => bytes[at + index] === byte);
}

function couldBecome(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length < start.length && bytes.every((byte, index) => start[index] === byte);
}
