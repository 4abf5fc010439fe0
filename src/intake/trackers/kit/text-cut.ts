import type { Cut } from "./family.ts";
import type { IsMark } from "./seen.ts";

/** What the framers of text protocols have in common. */

/** Whether `text` stands there, or as much of it as has come. */
export function mayStartWith(bytes: Uint8Array, at: number, text: string): boolean {
  const length = Math.min(text.length, bytes.length - at);
  for (let index = 0; index < length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return length > 0;
}

/** Everything before the next place where a message may start. None starts before `from`. */
export function noiseTo(bytes: Uint8Array, mayStart: IsMark, from = 1): Cut {
  let length = from;
  while (length < bytes.length && !mayStart(bytes, length)) length++;
  return { kind: "noise", length };
}

/** A message, with the line ends and blanks behind it that have come: they belong to nothing else. */
export function messageWithLineEnd(bytes: Uint8Array, length: number): Cut {
  let end = length;
  while (end < bytes.length && isLineEnd(bytes[end])) end++;
  return { kind: "message", length: end };
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 0x0d || byte === 0x0a || byte === 0x20 || byte === 0;
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
