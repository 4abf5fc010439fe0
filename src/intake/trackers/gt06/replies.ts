import { bytesOf } from "../kit/bytes.ts";
import { crc16X25 } from "../kit/crc.ts";

/** A message of ours: the number of what it answers, its serial number, and a content if the answer has one. */
export function reply(
  type: number,
  serial: number,
  content: Uint8Array = new Uint8Array(0),
  isLong = false,
): Uint8Array {
  const length = content.length + 5;
  const head = isLong ? [0x79, 0x79, length >> 8, length & 0xff] : [0x78, 0x78, length];
  const unsummed = Uint8Array.of(...head, type, ...content, serial >> 8, serial & 0xff);
  const checksum = crc16X25(unsummed.subarray(2));
  return Uint8Array.of(...unsummed, checksum >> 8, checksum & 0xff, 0x0d, 0x0a);
}

/** The answer to a request for the time: UTC, a byte each. */
export function timeReply(serial: number, now: number): Uint8Array {
  return reply(0x8a, serial, timeBytes(now));
}

function timeBytes(now: number): Uint8Array {
  const date = new Date(now);
  return Uint8Array.of(
    date.getUTCFullYear() % 100,
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  );
}

/** We look up no address: the tracker gets an empty one in the form that it expects, and waits no longer. */
export function addressReply(serial: number): Uint8Array {
  const text = "NA&&NA&&0##";
  return reply(0x97, serial, Uint8Array.of(text.length, 0, 0, 0, 0, ...bytesOf(text)), true);
}

/** In Topin's dialect, without serial number and checksum. */
export function topinReply(length: number, type: number, content: Uint8Array): Uint8Array {
  return Uint8Array.of(0x78, 0x78, length, type, ...content, 0x0d, 0x0a);
}

/** Topin's request for the time: UTC, with a year of two bytes. */
export function topinTimeReply(now: number): Uint8Array {
  const year = new Date(now).getUTCFullYear();
  const content = Uint8Array.of(year >> 8, year & 0xff, ...timeBytes(now).subarray(1));
  return topinReply(content.length, 0x30, content);
}
