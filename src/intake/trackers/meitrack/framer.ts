import { bytesOf } from "../kit/bytes.ts";
import type { Cut } from "../kit/family.ts";
import { Marks, Seen } from "../kit/seen.ts";
import { isDigit, messageWithLineEnd, noiseTo } from "../kit/text-cut.ts";

/** Parts of photos have some 1,100 bytes, stored positions in binary up to 2,000. */
export const maxMessageBytes = 4_096;

const [dollar, comma, star, carriageReturn, lineFeed] = [0x24, 0x2c, 0x2a, 0x0d, 0x0a];
/** `$$`, a letter, the length in digits, a comma. */
const maxLengthDigits = 4;
const digitsAt = 3;
/** A number of 14 or 15 digits. */
const maxIdBytes = 16;
const commandBytes = 3;
const headBytes = digitsAt + maxLengthDigits + 1 + maxIdBytes + 1 + commandBytes;

/** Commands whose contents are bytes, so that only the length says where they end. */
const binaryCommands = ["CCC", "CCE", "D00"].map(bytesOf);

/** `*`, two digits of the checksum, the end of the line. */
const trailerBytes = 5;

export function cut(bytes: Uint8Array, seen = new Seen()): Cut {
  const head = headAt(bytes, 0);
  if (head === "none") return noiseTo(bytes, mayStart);
  if (head === "begun") return { kind: "incomplete" };
  return head.isBinary ? cutBinary(bytes, head.length) : cutText(bytes, seen);
}

interface Head {
  /** Of the whole message, as it says. */
  readonly length: number;
  readonly isBinary: boolean;
}

function headAt(bytes: Uint8Array, at: number): Head | "begun" | "none" {
  for (let index = 0; index < 2; index++) {
    if (at + index === bytes.length) return "begun";
    if (bytes[at + index] !== dollar) return "none";
  }
  const flag = bytes[at + 2];
  if (flag === undefined) return "begun";
  if (flag < 0x21 || flag > 0x7e || flag === comma) return "none";
  let digits = 0;
  while (digits <= maxLengthDigits && isDigit(bytes[at + digitsAt + digits])) digits++;
  const commaAt = at + digitsAt + digits;
  if (digits > maxLengthDigits || (digits === 0 && commaAt < bytes.length)) return "none";
  if (commaAt >= bytes.length) return "begun";
  if (bytes[commaAt] !== comma) return "none";
  let declared = 0;
  for (let index = at + digitsAt; index < commaAt; index++) declared = declared * 10 + (bytes[index] ?? 0) - 0x30;
  return withCommand(bytes, at, commaAt, commaAt - at + declared);
}

function withCommand(bytes: Uint8Array, at: number, commaAt: number, length: number): Head | "begun" | "none" {
  let id = 0;
  while (id <= maxIdBytes && isDigit(bytes[commaAt + 1 + id])) id++;
  const commandAt = commaAt + 2 + id;
  if (id > maxIdBytes || (commandAt - 1 < bytes.length && (id === 0 || bytes[commandAt - 1] !== comma))) return "none";
  if (commandAt + commandBytes > bytes.length) return "begun";
  const isBinary = binaryCommands.some((command) => command.every((byte, index) => bytes[commandAt + index] === byte));
  const isPossible = length - (commandAt - at) >= commandBytes + trailerBytes && length <= maxMessageBytes;
  return isPossible || !isBinary ? { length, isBinary } : "none";
}

function mayStart(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === dollar && headAt(bytes, at) !== "none";
}

/** The star and the line end show that the length is right. */
function cutBinary(bytes: Uint8Array, length: number): Cut {
  if (bytes.length < length) return { kind: "incomplete" };
  const isRight = bytes[length - trailerBytes] === star && bytes[length - 1] === lineFeed;
  return isRight ? { kind: "message", length } : noiseTo(bytes, mayStart);
}

/** Up to the line end: the length is wrong now and then. Where the next message begins, the end of this one was lost. */
function cutText(bytes: Uint8Array, seen: Seen): Cut {
  const end = Math.min(bytes.length, maxMessageBytes);
  const { lineEnds, starts } = seen.memory(newMemory);
  const lineEnd = lineEnds.first(bytes, seen.offset, 1, end);
  const start = starts.first(bytes, seen.offset, 1, lineEnd < 0 ? end : lineEnd);
  if (start > 0) return { kind: "message", length: start };
  if (lineEnd > 0) return messageWithLineEnd(bytes.subarray(0, maxMessageBytes), lineEnd + 1);
  return end < maxMessageBytes ? { kind: "incomplete" } : noiseTo(bytes, mayStart);
}

const newMemory = () => ({
  lineEnds: new Marks((bytes, at) => bytes[at] === carriageReturn || bytes[at] === lineFeed),
  starts: new Marks((bytes, at) => bytes[at] === dollar && typeof headAt(bytes, at) === "object", headBytes),
});
