import { ByteReader } from "../kit/bytes.ts";
import { decoded, problemOf } from "../kit/decoded.ts";
import type { DecodedMessage, DecodeProblem, TrackerIdentity } from "../kit/family.ts";
import { type TrackerFrame, trackerFrames } from "../kit/frame.ts";
import { hexNumber } from "../kit/values.ts";
import { type Envelope, openEnvelope } from "./envelope.ts";
import { findLayout } from "./layouts.ts";
import { addressReply, reply, timeReply, topinReply } from "./replies.ts";
import { type Gt06Report, newReport, type ReadReport, readParts } from "./report.ts";
import { readTopin } from "./topin.ts";
import { topinTotal } from "./topin-shape.ts";
import type { Gt06Model } from "./tracker-model.ts";

/** What a connection knows from its login, and of its device. */
export interface Gt06Session {
  /** How far the tracker's clock is ahead of UTC. */
  readonly zoneMinutes: number;
  /** Whether it speaks Topin's dialect, which has no checksum. */
  readonly isTopin: boolean;
  readonly model: Gt06Model | null;
}

type Decoded = DecodedMessage<Gt06Session>;

const loginType = 0x01;
const timeRequest = 0x8a;
const addressRequest = 0x2a;

/** No place on Earth is further from UTC. */
const maxZoneMinutes = 14 * 60;

export function decode(message: Uint8Array, session: Gt06Session, receivedAt: number): Decoded {
  const envelope = openEnvelope(message);
  if (envelope === null || envelope.sentChecksum !== envelope.rightChecksum)
    return decodeUnsummed(message, envelope, session, receivedAt);
  const { type, serial } = envelope;
  if (type === loginType) return decodeLogin(message, envelope, session);
  if (type === timeRequest) return decoded("time request", session, { reply: timeReply(serial, receivedAt) });
  return decodeByLayout(message, envelope, session, receivedAt);
}

function decodeLogin(message: Uint8Array, envelope: Envelope, session: Gt06Session): Decoded {
  const reader = new ByteReader(message, envelope.contentFrom, envelope.contentEnd);
  const identity = readImei(reader);
  if (identity === null)
    return decoded("login", session, { problem: problemOf("malformed", "the IMEI is not a number") });
  // Older models send the IMEI alone, or with a type of two bytes; newer ones their zone after it.
  const unread: string[] = [];
  reader.pass(2, "type of the tracker", unread);
  const zone = reader.left >= 2 ? readZone(reader.u16()) : 0;
  const zoneMinutes = Math.abs(zone) <= maxZoneMinutes ? zone : 0;
  if (zone !== zoneMinutes) unread.push("time zone");
  return decoded(
    "login",
    { ...session, zoneMinutes, isTopin: false },
    { identity, reply: reply(loginType, envelope.serial), unread },
  );
}

/** Sixteen digits in eight bytes, of which the first is 0. */
function readImei(reader: ByteReader): TrackerIdentity | null {
  const digits = reader.take(8).toHex();
  return /^\d{16}$/.test(digits) ? { kind: "imei", value: digits.slice(1) } : null;
}

/** Hours times 100 plus minutes in twelve bits; bit 3 means west. */
function readZone(bits: number): number {
  const clock = bits >> 4;
  const minutes = Math.floor(clock / 100) * 60 + (clock % 100);
  return bits & 8 ? -minutes : minutes;
}

function decodeByLayout(message: Uint8Array, envelope: Envelope, session: Gt06Session, receivedAt: number): Decoded {
  const { type, serial, isLong, length } = envelope;
  const layout = findLayout(type, isLong, length);
  if (layout === undefined) {
    const problem = problemOf("unknown_message", `message ${hexNumber(type)} of ${length} bytes`);
    // Trackers that wait for an answer get one: another attempt would say nothing more.
    return decoded(`message ${hexNumber(type)}`, session, { reply: isLong ? null : reply(type, serial), problem });
  }
  const { contentFrom, contentEnd } = envelope;
  const begin = () => newReport(new ByteReader(message, contentFrom, contentEnd), type, session);
  const read = readParts(begin, layout.parts);
  const form = layout.reply ?? "short";
  const answer = type === addressRequest ? addressReply(serial) : reply(type, serial, undefined, form === "long");
  return fromReport(`${layout.what} ${hexNumber(type)}`, read, form === "none" ? null : answer, session, receivedAt);
}

/** A message without a right checksum is one of Topin's, or broken. */
function decodeUnsummed(
  message: Uint8Array,
  envelope: Envelope | null,
  session: Gt06Session,
  receivedAt: number,
): Decoded {
  const isFormOfTopin = topinTotal(message) === message.length;
  if (isFormOfTopin && message[3] === loginType) {
    const identity = readImei(new ByteReader(message, 4));
    const length = message[2] ?? 0;
    if (identity !== null) {
      const accepted = topinReply(length, loginType, Uint8Array.of(0x01));
      return decoded("login", { ...session, zoneMinutes: 0, isTopin: true }, { identity, reply: accepted });
    }
  }
  const topin = isFormOfTopin || session.isTopin || envelope === null ? readTopin(message, receivedAt) : null;
  if (topin !== null)
    return fromReport(`${topin.what} ${hexNumber(message[3] ?? 0)}`, topin, topin.reply, session, receivedAt);
  const what = `message ${hexNumber(message[message[0] === 0x79 ? 4 : 3] ?? 0)}`;
  const failed = (kind: DecodeProblem["kind"], detail: string) =>
    decoded(what, session, { problem: problemOf(kind, detail) });
  if (session.isTopin) return failed("unknown_message", what);
  if (envelope === null) return failed("malformed", "too short for a message");
  const { sentChecksum, rightChecksum } = envelope;
  return failed("checksum", `the checksum is ${hexNumber(sentChecksum, 4)}, not ${hexNumber(rightChecksum, 4)}`);
}

function fromReport(
  what: string,
  { report, isWhole, hasContent }: ReadReport,
  reply: Uint8Array | null,
  session: Gt06Session,
  receivedAt: number,
): Decoded {
  const leftOut: string[] = [];
  const frames = framesOf(report, receivedAt, leftOut);
  const problem = problemIn(report, isWhole);
  // Of photos, answers and the like nothing is read.
  const isUnread = saysNothing(report) && problem === null && report.unread.length === 0 && hasContent;
  return decoded(what, session, { frames, reply, problem, leftOut, unread: isUnread ? [what] : report.unread });
}

function saysNothing({ fields, sensors, events }: Gt06Report): boolean {
  return Object.keys(fields).length === 0 && sensors.length === 0 && events.length === 0;
}

/** A heartbeat has no time, and is never sent again later: what it says holds when it comes. */
function framesOf(report: Gt06Report, receivedAt: number, leftOut: string[]): readonly TrackerFrame[] {
  const { recordedAt, fields, sensors, events } = report;
  if (recordedAt === null) return [];
  if (recordedAt === undefined && saysNothing(report)) return [];
  const read = { ...fields, sensors };
  return recordedAt === undefined
    ? trackerFrames(receivedAt, { ...read, time_source: "receipt" }, events, leftOut)
    : trackerFrames(recordedAt, read, events, leftOut);
}

function problemIn({ recordedAt, type, unknown }: Gt06Report, isWhole: boolean): DecodeProblem | null {
  if (recordedAt === null) return problemOf("no_time", "the time is no time");
  if (!isWhole) return problemOf("malformed", `message ${hexNumber(type)} ends too early`);
  return unknown === null ? null : problemOf("unknown_message", unknown);
}
