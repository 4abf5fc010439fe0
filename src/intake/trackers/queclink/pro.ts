import { ByteReader } from "../kit/bytes.ts";
import { problemOf } from "../kit/decoded.ts";
import { type TrackerFrame, trackerFrames } from "../kit/frame.ts";
import { hexNumber } from "../kit/values.ts";
import type { BinaryContents } from "./binary.ts";

/** Where items have a position. */
const positionItem = 0x52;
const positionBytes = 22;
/** Of the first byte of a position: how it was found. */
const [fixShift, fixBits, satelliteFix] = [2, 3, 2];
/** Behind the records: number of the message, a check byte, `$`. */
const trailerBytes = 2 + 1 + 1;
const reportId = 0x00;

/** The second generation, @Track Protocol Pro: records of items, each with its number and length before it. */
export function readProMessage(message: Uint8Array): BinaryContents {
  const isReport = message[1] === reportId;
  // A heartbeat has its length in one byte, and no flags.
  const headBytes = isReport ? 4 : 3;
  const reader = new ByteReader(message, headBytes, Math.max(headBytes, message.length - trailerBytes));
  const unread: string[] = [];
  if (isReport && (reader.u8() & 0x80) !== 0) reader.pass(2, "number of the part", unread);
  const id = reader.take(8).toHex();
  const identity = /^0\d{15}$/.test(id) ? ({ kind: "imei", value: id.slice(1) } as const) : undefined;
  const whose = identity === undefined ? {} : { identity };
  if (!isReport) {
    reader.pass(reader.left, "heartbeat", unread);
    return { what: "heartbeat of the second generation", frames: [], problem: null, leftOut: [], unread, ...whose };
  }
  reader.pass(2 + 2 + 1, "model and versions", unread);
  reader.pass(reader.u8(), "reserved bytes", unread);
  unread.push("number of the message");
  const leftOut: string[] = [];
  const frames: TrackerFrame[] = [];
  while (reader.left > 0 && !reader.isShort) {
    // The length counts itself.
    const start = reader.at;
    const length = variable(reader);
    const content = Math.max(0, length - (reader.at - start));
    readRecord(new ByteReader(reader.take(content)), frames, leftOut, unread);
  }
  const isShort = reader.isShort || identity === undefined;
  const problem = isShort
    ? problemOf("malformed", "the records do not fill the message")
    : frames.length === 0
      ? problemOf("no_time", "no position")
      : null;
  const what = `second generation, ${frames.length} ${frames.length === 1 ? "position" : "positions"}`;
  return { what, frames, problem, leftOut: [...new Set(leftOut)], unread: [...new Set(unread)], ...whose };
}

/** Time, number, kind and event, then items. */
function readRecord(reader: ByteReader, frames: TrackerFrame[], leftOut: string[], unread: string[]): void {
  reader.pass(4, "time of the record", unread);
  reader.pass(2, "number of the record", unread);
  const [kind, event] = [reader.u8(), reader.u8()];
  if (kind !== 0 || event !== 0) unread.push(`record ${hexNumber(kind)}, event ${event}`);
  while (reader.left > 0 && !reader.isShort) {
    const id = variable(reader);
    const value = new ByteReader(reader.take(variable(reader)));
    if (id === positionItem && value.left >= positionBytes) readPosition(value, frames, leftOut, unread);
    value.pass(value.left, `item ${hexNumber(id)}`, unread);
  }
}

function readPosition(reader: ByteReader, frames: TrackerFrame[], leftOut: string[], unread: string[]): void {
  const state = reader.u8();
  const isHere = ((state >> fixShift) & fixBits) === satelliteFix;
  const [longitude, latitude, at] = [reader.i32() / 1e6, reader.i32() / 1e6, reader.u32() * 1000];
  const [speed, hdop, heading] = [reader.u16() / 10, reader.u8() / 10, reader.u16()];
  const altitude = (reader.u24() << 8) >> 8;
  const satellites = reader.u8();
  if (at === 0) return;
  unread.push("state of the fix");
  if (!isHere && (latitude !== 0 || longitude !== 0)) unread.push("old place");
  const place = { latitude, longitude, speed_kmh: speed, heading_deg: heading, altitude_m: altitude / 10, hdop };
  frames.push(...trackerFrames(at, { fix: isHere, satellites, ...(isHere ? place : {}) }, [], leftOut));
}

/** One byte, or two if the highest bit is set. */
function variable(reader: ByteReader): number {
  const first = reader.u8();
  return first < 0x80 ? first : (first & 0x7f) * 256 + reader.u8();
}
