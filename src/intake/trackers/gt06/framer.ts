import type { Cut } from "../kit/family.ts";
import { declaredTotal, hasStart, hasStop, isSound, maxMessageBytes } from "./envelope.ts";
import { topinTotal } from "./topin-shape.ts";

/** Start, length, type and stop: nothing is shorter. */
const minMessageBytes = 6;

/** By how many bytes a length may be wrong: early firmware counts two too few. It bounds how often a checksum is computed. */
const maxLengthError = 4;

/** How far back a message is looked for that follows one that was cut off: the longest with a length of one byte. */
const maxInnerBytes = 260;

/** More stops than the texts that trackers send have lines. It bounds what a peer can make us search. */
const maxStops = 32;

/**
 * Finds the message at the start. Lengths are often wrong on this wire: early firmware counts too few bytes, and Topin's dialect
 * sends other things in place of the length. So a stop counts as the end if it stands where the length says, or nearby after a
 * right checksum. What is found depends on the bytes up to the end of the message only, never on what came with them.
 */
export function cut(bytes: Uint8Array): Cut {
  if (!hasStart(bytes, 0)) {
    const mayStart = bytes.length === 1 && isHalfStart(bytes, 0);
    return mayStart ? { kind: "incomplete" } : noise(bytes);
  }
  const total = declaredTotal(bytes);
  if (total === null) return { kind: "incomplete" };
  if (total > maxMessageBytes) return noise(bytes);
  const last = Math.min(bytes.length, maxMessageBytes);
  let stops = 0;
  for (let end = Math.min(minMessageBytes, total); end <= last; end++) {
    const isStop = end >= minMessageBytes && hasStop(bytes, end);
    if (isStop && ++stops > maxStops) return noise(bytes);
    const found = isStop ? endsWithStop(bytes, end, total) : null;
    if (found !== null) return found;
    // The stop bytes were left out.
    if (end === total && !isStop && isSound(bytes.subarray(0, end - 2))) return { kind: "message", length: end - 2 };
  }
  return last < maxMessageBytes ? { kind: "incomplete" } : noise(bytes);
}

/** What the bytes up to the stop at `end` are, if something ends there. */
function endsWithStop(bytes: Uint8Array, end: number, total: number): Cut | null {
  const topin = topinTotal(bytes);
  const isRightLength = end === total || end === topin;
  const isNearby = Math.abs(end - total) <= maxLengthError;
  if (isNearby && isSound(bytes.subarray(0, end))) return { kind: "message", length: end };
  const inner = soundMessageBefore(bytes, end);
  // The message before it was cut off. With a stop it is named to the owner, otherwise only its beginning came.
  if (inner !== null)
    return hasStop(bytes, inner) ? { kind: "message", length: inner } : { kind: "noise", length: inner };
  const isTopinOpen = topin === "unknown" || (topin !== null && end < topin);
  // Without a right checksum it is still a message: the decoder knows the dialect without one, or names the problem.
  return isRightLength || (end > total && !isTopinOpen) ? { kind: "message", length: end } : null;
}

/** The start of another whole message that ends here. */
function soundMessageBefore(bytes: Uint8Array, end: number): number | null {
  for (let start = Math.max(1, end - maxInnerBytes); start <= end - minMessageBytes; start++) {
    if (!hasStart(bytes, start) || declaredTotal(bytes, start) !== end - start) continue;
    if (isSound(bytes.subarray(start, end))) return start;
  }
  return null;
}

/** Everything up to where the next message may start. */
function noise(bytes: Uint8Array): Cut {
  let length = 1;
  while (length < bytes.length && !hasStart(bytes, length)) {
    if (length === bytes.length - 1 && isHalfStart(bytes, length)) break;
    length++;
  }
  return { kind: "noise", length };
}

function isHalfStart(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x78 || bytes[at] === 0x79;
}
