import type { Cut } from "../kit/family.ts";
import { Marks, Seen } from "../kit/seen.ts";
import { noiseTo } from "../kit/text-cut.ts";

/** Begins and ends a message. */
const delimiter = 0x7e;
const escapeByte = 0x7d;
const [openText, closeText] = [0x28, 0x29];

/** The shortest: a header of 11 bytes (padlocks have a serial number of one byte) and the check byte. */
const minContentBytes = 12;

/** 1,023 bytes of body, the longest header (21) and the check byte, all of them escaped, between two delimiters. */
export const maxMessageBytes = 2 * (1_023 + 21 + 1) + 2;

/** Sentences of padlocks are some 40 characters. */
const maxTextBytes = 512;

/**
 * A message between two delimiters, or a sentence in brackets, which padlocks send between messages. If the content is wrong, the
 * second delimiter may begin the next message, since its own end was lost: so it stays.
 */
export function cut(bytes: Uint8Array, seen = new Seen()): Cut {
  const { delimiters, textEnds } = seen.memory(newMemory);
  if (bytes[0] === openText) return cutText(bytes, seen.offset, textEnds);
  if (bytes[0] !== delimiter) return noiseTo(bytes, mayStart);
  const end = delimiters.first(bytes, seen.offset, 1);
  if (end === -1)
    return bytes.length < maxMessageBytes ? { kind: "incomplete" } : { kind: "noise", length: bytes.length };
  if (end - 1 < minContentBytes || end >= maxMessageBytes) return { kind: "noise", length: lastOfRun(bytes, end) };
  return { kind: "message", length: contentOf(bytes.subarray(0, end)).isRight ? end + 1 : end };
}

const newMemory = () => ({
  delimiters: new Marks((bytes, at) => bytes[at] === delimiter),
  /** The end of a sentence, or any byte that is no printable character, which shows that it was none. */
  textEnds: new Marks((bytes, at) => bytes[at] === closeText || isUnprintable(bytes[at] ?? 0)),
});

function isUnprintable(byte: number): boolean {
  return byte < 0x20 || byte >= 0x7e;
}

/** Of delimiters in a row, only the last can begin a message. */
function lastOfRun(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at + 1] === delimiter) at++;
  return at;
}

function mayStart(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === delimiter || bytes[at] === openText;
}

function cutText(bytes: Uint8Array, offset: number, textEnds: Marks): Cut {
  const end = textEnds.first(bytes, offset, 1, Math.min(bytes.length, maxTextBytes));
  if (end > 0) return bytes[end] === closeText ? { kind: "message", length: end + 1 } : { kind: "noise", length: end };
  return bytes.length < maxTextBytes ? { kind: "incomplete" } : { kind: "noise", length: maxTextBytes };
}

export interface MessageContent {
  /** Without the delimiters and the check byte. */
  readonly bytes: Uint8Array;
  /** Whether the check byte fits. */
  readonly isRight: boolean;
  readonly checkByte: number;
  readonly expectedCheckByte: number;
}

/** What is between the delimiters; the second may be missing. A tracker that forgets to escape is understood if its check byte fits. */
export function contentOf(message: Uint8Array): MessageContent {
  const end = message.length > 1 && message.at(-1) === delimiter ? message.length - 1 : message.length;
  const between = message.subarray(1, end);
  const plain = checked(unescaped(between));
  if (plain.isRight || plain.bytes.length + 1 === between.length) return plain;
  const asSent = checked(between);
  return asSent.isRight ? asSent : plain;
}

function checked(content: Uint8Array): MessageContent {
  const bytes = content.subarray(0, Math.max(content.length - 1, 0));
  const [checkByte, expectedCheckByte] = [content.at(-1) ?? 0, xor(bytes)];
  return { bytes, isRight: checkByte === expectedCheckByte, checkByte, expectedCheckByte };
}

/** With an index: twice for every message, and an iterator costs several times as much. */
function xor(bytes: Uint8Array): number {
  let value = 0;
  for (let at = 0; at < bytes.length; at++) value ^= bytes[at] ?? 0;
  return value;
}

function unescaped(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(escapeByte)) return bytes;
  const plain = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const [byte = 0, next] = [bytes[at], bytes[at + 1]];
    const isEscaped = byte === escapeByte && (next === 1 || next === 2);
    plain[length++] = isEscaped ? escapeByte + (next === 1 ? 0 : 1) : byte;
    if (isEscaped) at++;
  }
  return plain.subarray(0, length);
}

/** The whole message as it goes over the wire: check byte, escapes and delimiters added. */
export function wrap(content: readonly number[]): Uint8Array {
  let check = 0;
  for (const byte of content) check ^= byte;
  const wire = [delimiter];
  for (const byte of content) pushEscaped(wire, byte);
  pushEscaped(wire, check);
  wire.push(delimiter);
  return Uint8Array.from(wire);
}

function pushEscaped(wire: number[], byte: number): void {
  if (byte === escapeByte || byte === delimiter) wire.push(escapeByte, byte === escapeByte ? 1 : 2);
  else wire.push(byte);
}
