import type { Cut } from "../kit/family.ts";
import { Marks, Seen } from "../kit/seen.ts";
import { isDigit, mayStartWith, messageWithLineEnd, noiseTo } from "../kit/text-cut.ts";

/** The longest message is a part of a photo: some 1,000 bytes as 2,000 hexadecimal digits. */
export const maxMessageBytes = 4_096;

/** A heartbeat is the bare IMEI, of which some trackers leave out the end mark. */
const imeiDigits = 15;

const reportWord = "imei:";

/** Where a login has "imei:" within. */
const wordInLoginAt = 3;

export function cut(bytes: Uint8Array, seen = new Seen()): Cut {
  if (isDigit(bytes[0])) return cutHeartbeat(bytes);
  if (!mayStart(bytes, 0)) return noiseTo(bytes, mayStart);
  const end = Math.min(bytes.length, maxMessageBytes);
  const bounds = seen.memory(newBounds);
  let at = bounds.first(bytes, seen.offset, 1, end);
  while (at > 0 && at <= wordInLoginAt && !isEndMark(bytes[at])) at = bounds.first(bytes, seen.offset, at + 1, end);
  if (at > 0 && isEndMark(bytes[at])) return messageWithLineEnd(bytes, at + 1);
  // The start of another message: the end of this one was lost.
  if (at > 0) return { kind: "noise", length: at };
  return bytes.length < maxMessageBytes ? { kind: "incomplete" } : noiseTo(bytes, mayStart);
}

/** Where a message ends, or another begins. */
const newBounds = () => new Marks((bytes, at) => isEndMark(bytes[at]) || isReport(bytes, at), reportWord.length);

function cutHeartbeat(bytes: Uint8Array): Cut {
  let digits = 1;
  while (digits < imeiDigits && isDigit(bytes[digits])) digits++;
  if (digits === imeiDigits) {
    return messageWithLineEnd(bytes, isEndMark(bytes[digits]) ? digits + 1 : digits);
  }
  // Too few digits in a row: none of them can begin a heartbeat.
  return digits === bytes.length ? { kind: "incomplete" } : noiseTo(bytes, mayStart, digits);
}

function mayStart(bytes: Uint8Array, at: number): boolean {
  return isDigit(bytes[at]) || mayStartWith(bytes, at, "##,imei:") || mayBeReport(bytes, at);
}

function mayBeReport(bytes: Uint8Array, at: number): boolean {
  return mayStartWith(bytes, at, reportWord);
}

function isReport(bytes: Uint8Array, at: number): boolean {
  return at + reportWord.length < bytes.length && mayBeReport(bytes, at);
}

/** A semicolon; a star in the layout of some clones; or the end of the line. */
function isEndMark(byte: number | undefined): boolean {
  return byte === 0x3b || byte === 0x2a || byte === 0x0a;
}
