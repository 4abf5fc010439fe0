import type { Cut } from "../kit/family.ts";
import { isDigit, mayStartWith, messageWithLineEnd, noiseTo } from "../kit/text-cut.ts";

/** The longest message is a part of a photo: some 1,000 bytes as 2,000 hexadecimal digits. */
export const maxMessageBytes = 4_096;

/** A heartbeat is the bare IMEI, of which some trackers leave out the end mark. */
const imeiDigits = 15;

export function cut(bytes: Uint8Array): Cut {
  if (isDigit(bytes[0])) return cutHeartbeat(bytes);
  if (!mayStart(bytes, 0)) return noiseTo(bytes, mayStart);
  const end = Math.min(bytes.length, maxMessageBytes);
  for (let at = 1; at < end; at++) {
    if (isEndMark(bytes[at])) return messageWithLineEnd(bytes, at + 1);
    // The start of another message: the end of this one was lost. A login has "imei:" within.
    if (at > 3 && mayBeReport(bytes, at) && at + 5 < bytes.length) return { kind: "noise", length: at };
  }
  return bytes.length < maxMessageBytes ? { kind: "incomplete" } : noiseTo(bytes, mayStart);
}

function cutHeartbeat(bytes: Uint8Array): Cut {
  let digits = 1;
  while (digits < imeiDigits && isDigit(bytes[digits])) digits++;
  if (digits === imeiDigits) {
    return messageWithLineEnd(bytes, isEndMark(bytes[digits]) ? digits + 1 : digits);
  }
  return digits === bytes.length ? { kind: "incomplete" } : noiseTo(bytes, mayStart);
}

function mayStart(bytes: Uint8Array, at: number): boolean {
  return isDigit(bytes[at]) || mayStartWith(bytes, at, "##,imei:") || mayBeReport(bytes, at);
}

function mayBeReport(bytes: Uint8Array, at: number): boolean {
  return mayStartWith(bytes, at, "imei:");
}

/** A semicolon; a star in the layout of some clones; or the end of the line. */
function isEndMark(byte: number | undefined): boolean {
  return byte === 0x3b || byte === 0x2a || byte === 0x0a;
}
