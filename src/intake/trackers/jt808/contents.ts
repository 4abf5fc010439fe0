import { ByteReader } from "../kit/bytes.ts";
import { readTime } from "./bcd.ts";
import { decodeDriverCard } from "./driver-card.ts";
import { type DecodedLocation, decodeBatch, decodeLocation } from "./location.ts";
import { type Jt808Message, padlockLive, padlockStored } from "./message.ts";
import { decodePadlock } from "./padlock.ts";
import { decodePassThrough } from "./pass-through.ts";
import { Report } from "./report.ts";

/** `receivedAt`: for messages that have no time of their own. */
type ContentReader = (message: Jt808Message, receivedAt: number) => DecodedLocation;

const live: ContentReader = ({ body, version }) => decodeLocation(body, version !== null);

/** The answer to a question begins with the serial number of the question. */
const asked: ContentReader = ({ body, version }) => decodeLocation(body.subarray(2), version !== null);

/** Behind the count and whether they are stored ones. */
const batch: ContentReader = ({ body, version }) => decodeBatch(body.subarray(3), 2, version !== null);

/** Locators of another make have no count and short lengths. Of seven bytes, it is their battery and the time. */
const shortBatch: ContentReader = ({ body, version }) =>
  body.length === 7 ? batteryReport(body) : decodeBatch(body, 1, version !== null);

function batteryReport(body: Uint8Array): DecodedLocation {
  return batteryAt(body, readTime(new ByteReader(body, 1)));
}

/** It is empty by the standard; locators send battery, signal and state, so that they are known while nothing else comes. */
const heartbeat: ContentReader = ({ body }, receivedAt) =>
  body.length >= 3
    ? { ...batteryAt(body, receivedAt), unread: ["signal strength", "state"] }
    : { frames: [], unread: body.length === 0 ? [] : ["heartbeat"], leftOut: [], problem: null, imei: null };

function batteryAt(body: Uint8Array, at: number | null): DecodedLocation {
  const report = new Report();
  report.battery(body[0] ?? 0);
  const leftOut: string[] = [];
  const none = { frames: [], unread: [], leftOut, imei: null };
  if (at === null) return { ...none, problem: { kind: "no_time", detail: "no such time" } };
  return { ...none, frames: report.frames(at, leftOut), problem: null };
}

/** Messages that hold something for a frame. */
export const contentReaders: ReadonlyMap<number, ContentReader> = new Map<number, ContentReader>([
  [0x0002, heartbeat],
  [0x0200, live],
  [0x0201, asked],
  [0x0210, shortBatch],
  [0x0500, asked],
  [0x0702, ({ body }) => decodeDriverCard(body)],
  [0x0704, batch],
  [0x0900, ({ body }, receivedAt) => decodePassThrough(body, receivedAt)],
  [padlockLive, ({ body }) => decodePadlock(body)],
  [padlockStored, ({ body }) => decodePadlock(body)],
]);
