import { u16At } from "../kit/bytes.ts";
import { crc16X25 } from "../kit/crc.ts";

/** A longer message is none that a tracker of this family sends: photos come in parts of 1 KB, texts are shorter. */
export const maxMessageBytes = 4_096;

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** Serial number, checksum: what follows the content, before the two stop bytes. */
const trailerBytes = 4;
const checksumBytes = 2;

/** What is around the content of a message. */
export interface Envelope {
  /** Starts with 0x79 0x79 and has a length of two bytes. */
  readonly isLong: boolean;
  readonly type: number;
  /** As in the manuals: of type, content, serial number and checksum. It is counted, since some trackers send a wrong one. */
  readonly length: number;
  readonly contentFrom: number;
  readonly contentEnd: number;
  readonly serial: number;
  readonly sentChecksum: number;
  readonly rightChecksum: number;
}

/** Whether a message may start here. */
export function hasStart(bytes: Uint8Array, at: number): boolean {
  return (bytes[at] === 0x78 || bytes[at] === 0x79) && bytes[at + 1] === bytes[at];
}

/** Whether the two bytes before `end` are the stop bytes. */
export function hasStop(bytes: Uint8Array, end: number): boolean {
  return bytes[end - 2] === carriageReturn && bytes[end - 1] === lineFeed;
}

/** The length of the whole message by its own word, with start and stop; null if the bytes that say it have not come. */
export function declaredTotal(bytes: Uint8Array, at = 0): number | null {
  const [high, low] = [bytes[at + 2], bytes[at + 3]];
  if (high === undefined) return null;
  if (bytes[at] === 0x78) return high + 5;
  return low === undefined ? null : high * 256 + low + 6;
}

/** Where the checksum stands in the message between these two places, whose stop bytes may be missing; null: it is too short. */
export function checksumAt(bytes: Uint8Array, from: number, to: number): number | null {
  const end = hasStop(bytes, to) ? to - 2 : to;
  return end - trailerBytes < contentFrom(bytes, from) ? null : end - checksumBytes;
}

function contentFrom(bytes: Uint8Array, from: number): number {
  return from + (bytes[from] === 0x79 ? 5 : 4);
}

/** Takes a message apart. Null: it is too short to have a serial number and a checksum. The stop bytes may be missing. */
export function openEnvelope(bytes: Uint8Array): Envelope | null {
  const sumAt = checksumAt(bytes, 0, bytes.length);
  if (sumAt === null) return null;
  const from = contentFrom(bytes, 0);
  const contentEnd = sumAt + checksumBytes - trailerBytes;
  return {
    isLong: bytes[0] === 0x79,
    type: bytes[from - 1] ?? 0,
    length: sumAt + checksumBytes - from + 1,
    contentFrom: from,
    contentEnd,
    serial: u16At(bytes, contentEnd),
    sentChecksum: u16At(bytes, sumAt),
    rightChecksum: crc16X25(bytes.subarray(2, sumAt)),
  };
}
