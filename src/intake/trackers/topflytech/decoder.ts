import { ByteReader } from "../kit/bytes.ts";
import { decoded, problemOf } from "../kit/decoded.ts";
import type { TrackerEvent } from "../kit/events.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { type TrackerFrame, trackerFrames } from "../kit/frame.ts";
import { hexNumber } from "../kit/values.ts";
import { framesOfAccessories, readTopflytechAccessories } from "./accessories.ts";
import { drivingByAcceleration, drivingBySpeed } from "./events.ts";
import { obd, portable } from "./framer.ts";
import { topflytechAcknowledgement } from "./replies.ts";
import { readDigitTime, readPlace, readPortable, readSpeed, readVehicle, reportOfReading } from "./report.ts";

type Decoded = DecodedMessage<null>;
type Contents = Partial<Decoded> & Pick<Decoded, "what">;

const [login, position, heartbeat, alarm, widePosition, wideAlarm] = [0x01, 0x02, 0x03, 0x04, 0x13, 0x14];
const [drivingSpeed, drivingAcceleration, accessories, wideNetwork, answer] = [0x05, 0x06, 0x10, 0x11, 0x81];
/** Of portable trackers; of those at the diagnostic socket it is how it was driven. */
const network = 0x05;

export function decode(message: Uint8Array): Decoded {
  const reader = new ByteReader(message, 2);
  const [kind, type] = [message[0] ?? 0, reader.u8()];
  reader.u16();
  const serial = reader.u16();
  const id = reader.take(8);
  if (reader.isShort) return decoded("message", null, { problem: problemOf("malformed", "shorter than any message") });
  const contents = decodeType(reader, kind, type);
  const identity = { kind: "imei", value: id.toHex().slice(1) } as const;
  const alarmCode = type === alarm || type === wideAlarm ? alarmCodeOf(message, kind, type) : null;
  const reply =
    contents.problem?.kind === "unknown_message" ? null : topflytechAcknowledgement(kind, type, serial, id, alarmCode);
  const cutShort = reader.isShort ? { problem: problemOf("malformed", "the message ends too early"), frames: [] } : {};
  return decoded(`${contents.what} ${hexNumber(kind)}/${hexNumber(type)}`, null, {
    ...contents,
    ...cutShort,
    identity,
    reply,
  });
}

function decodeType(reader: ByteReader, kind: number, type: number): Contents {
  if (type === position || type === alarm || type === widePosition || type === wideAlarm) {
    const isWide = type === widePosition || type === wideAlarm;
    const reading = kind === portable ? readPortable(reader) : readVehicle(reader, kind, isWide);
    return { what: type === alarm || type === wideAlarm ? "alarm" : "position", ...reportOfReading(reading) };
  }
  if (kind === obd && type === drivingSpeed) return decodeDrivingSpeed(reader);
  if (kind === obd && type === drivingAcceleration) return decodeDrivingAcceleration(reader);
  if (type === accessories) return decodeAccessories(reader);
  const named = nameOf(kind, type);
  if (named === null)
    return { what: "message", problem: problemOf("unknown_message", `message ${hexNumber(kind)}/${hexNumber(type)}`) };
  const unread: string[] = [];
  reader.pass(reader.left, named[1], unread);
  return { what: named[0], unread };
}

/** Known, and without anything for a frame. */
function nameOf(kind: number, type: number): readonly [what: string, unread: string] | null {
  if (type === login) return ["login", "version"];
  if (type === heartbeat) return ["heartbeat", "bytes of the heartbeat"];
  if (type === answer) return ["answer to a command", "text of the answer"];
  if (type === wideNetwork || (type === network && kind === portable)) return ["network", "network and SIM card"];
  return null;
}

const recordBytes = 24;

/** What happened, then the moments around it: time, place, speed, degrees, revolutions. It happened at the last. */
function decodeDrivingSpeed(reader: ByteReader): Contents {
  const event = drivingBySpeed.get(reader.u8());
  const unread: string[] = [];
  const leftOut: string[] = [];
  const frames: TrackerFrame[] = [];
  let untimed = 0;
  while (reader.left >= recordBytes) {
    const at = readDigitTime(reader);
    const place = readPlace(reader);
    const [speed, heading] = [readSpeed(reader), reader.u16()];
    reader.pass(2, "revolutions", unread);
    const motion = { speed_kmh: speed, heading_deg: heading === 0xffff ? null : heading };
    const events: readonly TrackerEvent[] = event !== undefined && reader.left < recordBytes ? [event] : [];
    if (at === null) untimed++;
    else frames.push(...trackerFrames(at, place.fix === true ? { ...place, ...motion } : place, events, leftOut));
  }
  reader.pass(reader.left, "bytes at the end", unread);
  const problem = untimed > 0 ? problemOf("no_time", "a moment without a time") : null;
  return { what: "driving", frames, unread, leftOut: [...new Set(leftOut)], problem };
}

/** What happened, time, state, acceleration, place, speed, degrees, revolutions. */
function decodeDrivingAcceleration(reader: ByteReader): Contents {
  const event = drivingByAcceleration.get(reader.u8());
  const unread: string[] = [];
  const leftOut: string[] = [];
  const at = readDigitTime(reader);
  reader.pass(1 + 5, "state and acceleration", unread);
  const place = readPlace(reader);
  const motion = { speed_kmh: readSpeed(reader), heading_deg: reader.u16() };
  reader.pass(reader.left, "revolutions", unread);
  const read = place.fix === true ? { ...place, ...motion } : place;
  const events = event === undefined ? [] : [event];
  if (at === null) return { what: "driving", unread, problem: problemOf("no_time", "no such time") };
  return { what: "driving", frames: trackerFrames(at, read, events, leftOut), unread, leftOut };
}

function decodeAccessories(reader: ByteReader): Contents {
  const read = readTopflytechAccessories(reader);
  const leftOut: string[] = [];
  const frames = framesOfAccessories(read, leftOut);
  const problem = read.at === null ? problemOf("no_time", "no such time") : null;
  return { what: "accessories", frames, leftOut, unread: read.unread, problem };
}

/** Where an alarm has its number: behind the state of a portable tracker, or behind settings, inputs and measurements. */
function alarmCodeOf(message: Uint8Array, kind: number, type: number): number {
  if (kind === portable) return message[16] ?? 0;
  const behindInputs = 15 + 9 + 1 + 6 + 2;
  const more = (type === wideAlarm ? 2 : 0) + (kind === obd ? 0 : type === wideAlarm ? 10 : 4);
  return message[behindInputs + more] ?? 0;
}
