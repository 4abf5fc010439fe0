import type { Cut } from "../kit/family.ts";
import { Marks, Seen } from "../kit/seen.ts";
import { noiseTo } from "../kit/text-cut.ts";

/** The description allows 1,024 bytes; a list of WiFi networks or the text of an answer comes near. */
export const maxMessageBytes = 2_048;

const open = 0x28;
const close = 0x29;
const dollar = 0x24;
const comma = 0x2c;

/** From `(` to `)`. Free text stands between `,$` and `$` and may hold both. */
export function cut(bytes: Uint8Array, seen = new Seen()): Cut {
  if (bytes[0] !== open) return noiseTo(bytes, isStart);
  const end = Math.min(bytes.length, maxMessageBytes);
  // Without a bracket it cannot end, quoted or not.
  const hasBracket = seen.memory(newBrackets).first(bytes, seen.offset, 1, end) > 0;
  let isQuoted = false;
  for (let at = 1; hasBracket && at < end; at++) {
    const byte = bytes[at];
    if (byte === dollar) isQuoted = !isQuoted && bytes[at - 1] === comma;
    if (isQuoted) continue;
    if (byte === close) return { kind: "message", length: at + 1 };
    // The start of another message: the end of this one was lost.
    if (byte === open) return noiseTo(bytes, isLastStart, at);
  }
  return bytes.length < maxMessageBytes ? { kind: "incomplete" } : noiseTo(bytes, isStart);
}

const newBrackets = () => new Marks((bytes, at) => bytes[at] === open || bytes[at] === close);

/** Of brackets in a row, only the last can begin a message. */
function isLastStart(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === open && bytes[at + 1] !== open;
}

function isStart(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === open;
}
