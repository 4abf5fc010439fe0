import { u16At } from "../kit/bytes.ts";
import type { Cut } from "../kit/family.ts";
import { isDigit } from "../kit/text-cut.ts";

/** Trackers send 1,280 bytes at most and pictures in parts of 2 KB. 255 records, as many as can be counted, of 60 bytes have room. */
export const maxMessageBytes = 16 * 1024;

/** What a tracker sends now and then to keep the connection open. */
export const ping = 0xff;

export const imeiLength = 15;
export const loginBytes = 2 + imeiLength;

/** Four zero bytes and the length before the data, the checksum after it. */
export const dataFrom = 8;
export const checksumBytes = 4;

/** Codec, number of records, and that number again. */
const minDataBytes = 3;

/** Over UDP: length, number of the packet, its type, number of the data, then as over TCP a login and data without checksum. */
const channelBytes = 6;
export const udpDataFrom = channelBytes + loginBytes;

/** All codecs have small numbers, but for the extended codec 8. */
function isCodec(byte: number): boolean {
  return (byte >= 0x01 && byte <= 0x1f) || byte === 0x8e;
}

const incomplete: Cut = { kind: "incomplete" };
const noise: Cut = { kind: "noise", length: 1 };

/** A ping, a login, data over TCP, or a packet over UDP. What begins like none of these is skipped byte by byte. */
export function cut(bytes: Uint8Array): Cut {
  if (bytes[0] === ping) return { kind: "message", length: 1 };
  if (bytes.length < 2) return bytes.every((byte) => byte < maxMessageBytes >> 8) ? incomplete : noise;
  const length = u16At(bytes, 0);
  if (length === 0) return cutData(bytes);
  if (length === imeiLength) return isLoginSoFar(bytes, 0) ? whole(bytes, loginBytes) : noise;
  return cutPacket(bytes, 2 + length);
}

function cutData(bytes: Uint8Array): Cut {
  if ((bytes[2] ?? 0) !== 0 || (bytes[3] ?? 0) !== 0) return noise;
  const codec = bytes[dataFrom];
  if (codec === undefined) return incomplete;
  const length = u16At(bytes, 4) * 65_536 + u16At(bytes, 6);
  const total = dataFrom + length + checksumBytes;
  return length >= minDataBytes && total <= maxMessageBytes && isCodec(codec) ? whole(bytes, total) : noise;
}

function cutPacket(bytes: Uint8Array, total: number): Cut {
  const type = bytes[4] ?? 0;
  const codec = bytes[udpDataFrom];
  const isPossible =
    total >= udpDataFrom + minDataBytes &&
    total <= maxMessageBytes &&
    type <= 2 &&
    isLoginSoFar(bytes, channelBytes) &&
    (codec === undefined || isCodec(codec));
  return isPossible ? whole(bytes, total) : noise;
}

/** Whether the bytes that have come from `at` on are those of a login: its length and digits. */
function isLoginSoFar(bytes: Uint8Array, at: number): boolean {
  if ((bytes[at] ?? 0) !== 0 || (bytes[at + 1] ?? imeiLength) !== imeiLength) return false;
  const end = Math.min(bytes.length, at + loginBytes);
  for (let digitAt = at + 2; digitAt < end; digitAt++) if (!isDigit(bytes[digitAt])) return false;
  return true;
}

function whole(bytes: Uint8Array, length: number): Cut {
  return bytes.length >= length ? { kind: "message", length } : incomplete;
}
