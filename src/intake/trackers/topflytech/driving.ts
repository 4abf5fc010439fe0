import type { ByteReader } from "../kit/bytes.ts";
import { problemOf } from "../kit/decoded.ts";
import type { TrackerEvent } from "../kit/events.ts";
import type { ReadFields, TrackerFrame } from "../kit/frame.ts";
import { trackerFrames } from "../kit/frame.ts";
import type { Contents } from "./contents.ts";
import { drivingByAcceleration, drivingBySpeed } from "./events.ts";
import { readDigitTime, readPlace, readSpeed } from "./report.ts";
import { isPlaceBit, satellitesBits } from "./state.ts";

const recordBytes = 24;

/** What happened, then the moments around it: time, place, speed, degrees, revolutions. It happened at the last. */
export function drivingBySpeedContents(reader: ByteReader): Contents {
  const event = drivingBySpeed.get(reader.u8());
  const unread: string[] = [];
  const leftOut: string[] = [];
  const frames: TrackerFrame[] = [];
  let untimed = 0;
  while (reader.left >= recordBytes) {
    const at = readDigitTime(reader);
    const place = readPlace(reader);
    const motion = readMotion(reader);
    reader.pass(2, "revolutions", unread);
    const events: readonly TrackerEvent[] = event !== undefined && reader.left < recordBytes ? [event] : [];
    if (at === null) untimed++;
    else frames.push(...trackerFrames(at, place.fix === true ? { ...place, ...motion } : place, events, leftOut));
  }
  reader.pass(reader.left, "bytes at the end", unread);
  const problem = untimed > 0 ? problemOf("no_time", "a moment without a time") : null;
  return { what: "driving", frames, unread, leftOut: [...new Set(leftOut)], problem };
}

/** What happened, then a moment. */
export function jerkContents(reader: ByteReader): Contents {
  return momentContents(reader, "driving", drivingByAcceleration.get(reader.u8()));
}

/** What happened, then moments around it, of which the first is read: the others are parts of the same seconds. */
export function crashContents(reader: ByteReader): Contents {
  const unread: string[] = [];
  reader.pass(1, "kind of the crash", unread);
  const read = momentContents(reader, "crash", "crash");
  return { ...read, unread: [...unread, ...(read.unread ?? [])] };
}

/** Time, state, acceleration, place, speed, degrees, and what comes behind. */
function momentContents(reader: ByteReader, what: string, event: TrackerEvent | undefined): Contents {
  const unread: string[] = [];
  const leftOut: string[] = [];
  const at = readDigitTime(reader);
  const state = reader.u8();
  if ((state & ~(isPlaceBit | satellitesBits)) !== 0) unread.push("whether it was stored, whether GPS sleeps");
  reader.pass(5, "acceleration", unread);
  const read = (state & isPlaceBit) === 0 ? withoutAPlace(reader, unread) : withAPlace(reader);
  reader.pass(reader.left, "acceleration and revolutions", unread);
  if (at === null) return { what, unread, problem: problemOf("no_time", "no such time") };
  const fields = { ...read, satellites: state & satellitesBits };
  return { what, frames: trackerFrames(at, fields, event === undefined ? [] : [event], leftOut), unread, leftOut };
}

function withAPlace(reader: ByteReader): ReadFields {
  const place = readPlace(reader);
  const motion = readMotion(reader);
  return place.fix === true ? { ...place, ...motion } : place;
}

function withoutAPlace(reader: ByteReader, unread: string[]): ReadFields {
  reader.pass(16, "cell towers", unread);
  return { fix: false };
}

function readMotion(reader: ByteReader): ReadFields {
  const [speed, heading] = [readSpeed(reader), reader.u16()];
  return { speed_kmh: speed, heading_deg: heading === 0xffff ? null : heading };
}
