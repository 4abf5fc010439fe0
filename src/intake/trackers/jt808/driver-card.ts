import { ByteReader, textOf } from "../kit/bytes.ts";
import { readTime } from "./bcd.ts";
import type { DecodedLocation } from "./location.ts";
import { Report } from "./report.ts";

const inserted = 1;
const readWell = 0;

/** 0x0702: a card was put in or taken out, and when. The number of the card names the driver. */
export function decodeDriverCard(bytes: Uint8Array): DecodedLocation {
  const report = new Report();
  const reader = new ByteReader(bytes);
  const status = reader.u8();
  const at = readTime(reader);
  if (status === inserted && reader.u8() === readWell) {
    reader.skip(reader.u8()); // name
    report.driver(textOf(reader.take(20)));
  }
  const leftOut: string[] = [];
  const none = { frames: [], unread: [], leftOut, imei: null };
  // The edition of 2011 has a card without a time: it begins with the length of the name.
  return at === null
    ? { ...none, problem: { kind: "no_time", detail: "a driver card without a time" } }
    : { ...none, frames: report.frames(at, leftOut), problem: null };
}
