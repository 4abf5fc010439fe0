import { ByteReader, textOf } from "../kit/bytes.ts";
import { problemOf } from "../kit/decoded.ts";
import { readTime } from "./bcd.ts";
import { decodeBatch, decodeJt808Location } from "./location.ts";
import { type Jt808Message, padlockLive, padlockStored } from "./message.ts";
import { decodePadlock } from "./padlock.ts";
import { decodePassThrough } from "./pass-through.ts";
import { type DecodedReport, Jt808Report, nothingDecoded } from "./report.ts";

/** `receivedAt`: for messages that have no time of their own. */
type ContentReader = (message: Jt808Message, receivedAt: number) => DecodedReport;

const live: ContentReader = ({ body, version }) => decodeJt808Location(body, version !== null);

/** The answer to a question begins with the serial number of the question. */
const asked: ContentReader = ({ body, version }) => decodeJt808Location(body.subarray(2), version !== null);

/** Behind the count and whether they are stored ones. */
const batch: ContentReader = ({ body, version }) => decodeBatch(body.subarray(3), 2, version !== null);

/** Locators of another make have no count and short lengths. Of seven bytes, it is their battery and the time. */
const shortBatch: ContentReader = ({ body, version }) =>
  body.length === 7 ? batteryReport(body) : decodeBatch(body, 1, version !== null);

function batteryReport(body: Uint8Array): DecodedReport {
  return batteryOf(body).decodedAt(readTime(new ByteReader(body, 1)));
}

/** It is empty by the standard; locators send battery, signal and state, so that they are known while nothing else comes. */
const heartbeat: ContentReader = ({ body }, receivedAt) =>
  body.length >= 3
    ? { ...batteryOf(body).decodedNow(receivedAt), unread: ["signal strength", "state"] }
    : { ...nothingDecoded, unread: body.length === 0 ? [] : ["heartbeat"] };

function batteryOf(body: Uint8Array): Jt808Report {
  const report = new Jt808Report();
  report.battery(body[0] ?? 0);
  return report;
}

const inserted = 1;
const readWell = 0;

/** A card was put in or taken out, and when. The number of the card names the driver. */
function driverCard({ body }: Jt808Message): DecodedReport {
  const report = new Jt808Report();
  const reader = new ByteReader(body);
  const status = reader.u8();
  const at = readTime(reader);
  // The edition of 2011 has a card without a time: it begins with the length of the name.
  if (at === null) return { ...nothingDecoded, problem: problemOf("no_time", "a driver card without a time") };
  if (status === inserted && reader.u8() === readWell) {
    reader.pass(reader.u8(), "name of the driver", report.unread);
    report.driver(textOf(reader.take(20)));
    reader.pass(reader.left, "authority of the card", report.unread);
  }
  return report.decodedAt(at);
}

/** Messages that hold something for a frame. */
export const contentReaders: ReadonlyMap<number, ContentReader> = new Map<number, ContentReader>([
  [0x0002, heartbeat],
  [0x0200, live],
  [0x0201, asked],
  [0x0210, shortBatch],
  [0x0500, asked],
  [0x0702, driverCard],
  [0x0704, batch],
  [0x0900, ({ body }, receivedAt) => decodePassThrough(body, receivedAt)],
  [padlockLive, ({ body }) => decodePadlock(body)],
  [padlockStored, ({ body }) => decodePadlock(body)],
]);
