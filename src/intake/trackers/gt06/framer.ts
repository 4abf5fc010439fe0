import { u16At } from "../kit/bytes.ts";
import { x25 } from "../kit/crc.ts";
import type { Cut } from "../kit/family.ts";
import { RangeChecksums, type ZeroStep } from "../kit/range-checksums.ts";
import { Marks, Seen } from "../kit/seen.ts";
import { checksumAt, declaredTotal, hasStart, hasStop, maxMessageBytes } from "./envelope.ts";
import { topinTotal } from "./topin-shape.ts";

/** Start, length, type and stop: nothing is shorter. */
const minMessageBytes = 6;
const stopBytes = 2;

/** By how many bytes a length may be wrong: early firmware counts two too few. It bounds how often a checksum is computed. */
const maxLengthError = 4;

/** How far back a message is looked for that follows one that was cut off: the longest with a length of one byte. */
const maxInnerBytes = 260;

/** More stops than the texts that trackers send have lines. It bounds what a peer can make us search. */
const maxStops = 32;

const zeroSteps: ZeroStep[] = [];

/** What was found in the stream, by the place where it was found. */
class Memory {
  readonly starts = new Marks(hasStart, 1);
  readonly stops = new Marks(isStop, stopBytes - 1);
  readonly checksums = new RangeChecksums(x25, zeroSteps);
  /** Where the whole messages start that end at a stop. */
  readonly startsByStop = new Map<number, readonly number[]>();
}

const newMemory = () => new Memory();

/**
 * Finds the message at the start. Lengths are often wrong on this wire: early firmware counts too few bytes, and Topin's dialect
 * sends other things in place of the length. So a stop counts as the end if it stands where the length says, or nearby after a
 * right checksum. What is found depends on the bytes up to the end of the message only, never on what came with them.
 */
export function cut(bytes: Uint8Array, seen = new Seen()): Cut {
  if (!hasStart(bytes, 0)) {
    const mayStart = bytes.length === 1 && isHalfStart(bytes, 0);
    return mayStart ? { kind: "incomplete" } : noise(bytes, seen);
  }
  const total = declaredTotal(bytes);
  if (total === null) return { kind: "incomplete" };
  if (total > maxMessageBytes) return noise(bytes, seen);
  const last = Math.min(bytes.length, maxMessageBytes);
  const lengths = { total, topin: topinTotal(bytes) };
  let isLengthTried = false;
  let end = minMessageBytes - 1;
  for (let stops = 0; stops <= maxStops; stops++) {
    end = nextStop(bytes, end + 1, last, seen);
    // The stop bytes were left out.
    if (end > total && !isLengthTried && total <= last) {
      isLengthTried = true;
      if (!hasStop(bytes, total) && isSoundPart(bytes, 0, total - 2, seen))
        return { kind: "message", length: total - 2 };
    }
    if (end > last) return last < maxMessageBytes ? { kind: "incomplete" } : noise(bytes, seen);
    if (stops === maxStops) break;
    const found = endsWithStop(bytes, end, lengths, seen);
    if (found !== null) return found;
  }
  return noise(bytes, seen);
}

/** Where the next stop ends, from there on; beyond `last` if there is none. */
function nextStop(bytes: Uint8Array, from: number, last: number, seen: Seen): number {
  const at = seen.memory(newMemory).stops.first(bytes, seen.offset, from - stopBytes, last - 1);
  return at < 0 ? last + 1 : at + stopBytes;
}

/** By its own word, and by its form if that is one of Topin's. */
interface Lengths {
  readonly total: number;
  readonly topin: number | "unknown" | null;
}

/** What the bytes up to the stop at `end` are, if something ends there. */
function endsWithStop(bytes: Uint8Array, end: number, { total, topin }: Lengths, seen: Seen): Cut | null {
  const isRightLength = end === total || end === topin;
  const isNearby = Math.abs(end - total) <= maxLengthError;
  if (isNearby && isSoundPart(bytes, 0, end, seen)) return { kind: "message", length: end };
  const inner = soundMessageBefore(bytes, end, seen);
  // The message before it was cut off. With a stop it is named to the owner, otherwise only its beginning came.
  if (inner !== null)
    return hasStop(bytes, inner) ? { kind: "message", length: inner } : { kind: "noise", length: inner };
  const isTopinOpen = topin === "unknown" || (topin !== null && end < topin);
  // Without a right checksum it is still a message: the decoder knows the dialect without one, or names the problem.
  return isRightLength || (end > total && !isTopinOpen) ? { kind: "message", length: end } : null;
}

/** The start of another whole message that ends here. */
function soundMessageBefore(bytes: Uint8Array, end: number, seen: Seen): number | null {
  const { startsByStop } = seen.memory(newMemory);
  let known = startsByStop.get(seen.offset + end);
  if (known === undefined) {
    known = soundStartsBefore(bytes, end, seen);
    startsByStop.set(seen.offset + end, known);
  }
  // Mostly there is none.
  const start = known.length === 0 ? undefined : known.find((place) => place > seen.offset);
  return start === undefined ? null : start - seen.offset;
}

/** Places in the stream. */
function soundStartsBefore(bytes: Uint8Array, end: number, seen: Seen): readonly number[] {
  const { starts, startsByStop } = seen.memory(newMemory);
  // In the order of the stream, so those that are past are the first.
  if (startsByStop.size > 2 * maxStops) {
    for (const stop of startsByStop.keys()) {
      if (stop > seen.offset) break;
      startsByStop.delete(stop);
    }
  }
  const found: number[] = [];
  const next = (from: number) => starts.first(bytes, seen.offset, from, end - minMessageBytes + 1);
  for (let start = next(Math.max(1, end - maxInnerBytes)); start > 0; start = next(start + 1)) {
    const isWhole = declaredTotal(bytes, start) === end - start && isSoundPart(bytes, start, end, seen);
    if (isWhole) found.push(seen.offset + start);
  }
  return found;
}

/** Whether there is a message with a right checksum in this part of the bytes. */
function isSoundPart(bytes: Uint8Array, from: number, end: number, seen: Seen): boolean {
  const at = checksumAt(bytes, from, end);
  if (at === null) return false;
  return seen.memory(newMemory).checksums.of(bytes, seen.offset, from + 2, at) === u16At(bytes, at);
}

/** Everything up to where the next message may start. */
function noise(bytes: Uint8Array, seen: Seen): Cut {
  const next = seen.memory(newMemory).starts.first(bytes, seen.offset, 1);
  if (next > 0) return { kind: "noise", length: next };
  const last = bytes.length - 1;
  return { kind: "noise", length: last > 0 && isHalfStart(bytes, last) ? last : bytes.length };
}

function isStop(bytes: Uint8Array, at: number): boolean {
  return hasStop(bytes, at + stopBytes);
}

function isHalfStart(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x78 || bytes[at] === 0x79;
}
