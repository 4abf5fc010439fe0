import { ByteReader, textOf } from "../kit/bytes.ts";
import { decoded, problemOf } from "../kit/decoded.ts";
import type { TrackerEvent } from "../kit/events.ts";
import type { DecodedMessage, TrackerIdentity } from "../kit/family.ts";
import { type ReadFields, type TrackerFrame, trackerFrames } from "../kit/frame.ts";
import { hexNumber, utcTime } from "../kit/values.ts";
import { readCompressed } from "./compressed.ts";
import { queclinkState } from "./states.ts";
import { isFresh } from "./times.ts";

/** The report that GB100 and GV models send in the HEX form of `@Track`: only this mask is published in messages. */
const usualMask = 0x00fc_1fbf;
/** With it, the first letters of the device's name stand where the IMEI would. */
const nameBit = 0x40;

/** Numbers of reports of positions, and of events, whose columns before the position differ from the others. */
const [callReport, fenceReport, compressedReport] = [3, 8, 100];

interface EventKind {
  readonly what: string;
  /** What stands before the number of positions. */
  readonly bytes: number;
  readonly name?: string;
  readonly event?: TrackerEvent;
  readonly ignition?: boolean;
}

const eventKinds: ReadonlyMap<number, EventKind> = new Map<number, EventKind>([
  [6, { what: "battery low", bytes: 2, name: "voltage of its battery", event: "low_battery" }],
  [15, { what: "update", bytes: 3, name: "state of the update" }],
  [17, { what: "idling ends", bytes: 4, name: "time of idling" }],
  [21, { what: "GPS signal", bytes: 5, name: "state of the GPS signal" }],
  [23, { what: "crash", bytes: 1, name: "number of the crash", event: "crash" }],
  [26, { what: "parking fence", bytes: 12, name: "settings of the fence" }],
  [31, { what: "GPS jamming", bytes: 2, name: "state of jamming" }],
  [33, { what: "jamming status", bytes: 1, name: "state of jamming" }],
  [34, { what: "settings fetched", bytes: 3, name: "settings" }],
  [35, { what: "roaming", bytes: 1, name: "state of roaming" }],
  [45, { what: "virtual ignition on", bytes: 7, name: "time with the ignition", ignition: true }],
  [46, { what: "virtual ignition off", bytes: 7, name: "time with the ignition", ignition: false }],
]);

/** Total mileage and hours, the time of sending, the number of the message, a checksum, the line end. */
const [hoursBytes, mileageBytes, sentBytes] = [9, 5, 7 + 2 + 2 + 2];
const positionBytes = 1 + 3 + 2 + 2 + 4 + 4 + 7 + 8 + 1;

/** What a message says beside its sender. */
export type BinaryContents = Pick<DecodedMessage<unknown>, "what" | "frames" | "problem" | "leftOut" | "unread"> & {
  readonly identity?: TrackerIdentity;
};

/** `+RSP` and `+EVT`; `+BSP` and `+BVT` are the same, stored. */
export function readBinaryReport(message: Uint8Array): BinaryContents {
  const [name, kind] = [textOf(message.subarray(1, 4)), message[4] ?? 0];
  const isEvent = name === "EVT" || name === "BVT";
  const what = `binary report ${name} ${kind}`;
  const end = message.length - sentBytes - hoursBytes - mileageBytes;
  const reader = new ByteReader(message, 5, Math.max(0, end));
  const mask = reader.u32();
  if ((mask & ~nameBit) !== usualMask)
    return failed(what, problemOf("unknown_message", `${what}, mask ${hexNumber(mask, 8)}`));
  const unread: string[] = [];
  reader.skip(2);
  reader.pass(1 + 2 + 2, "model and versions", unread);
  const id = reader.take(8);
  const identity = (mask & nameBit) === 0 ? binaryImei(id) : undefined;
  const [battery, millivolts] = [reader.u8(), reader.u16()];
  const [state, satellites] = [reader.u8(), reader.u8()];
  const motion = queclinkState(state.toString(16).padStart(2, "0"));
  const event = isEvent ? eventKinds.get(kind) : undefined;
  const fields: ReadFields = {
    ignition: event?.ignition ?? motion?.ignition ?? null,
    satellites,
    battery_percent: battery,
    external_voltage_v: millivolts / 1000 || null,
    odometer_km: mileageBefore(message, end),
  };
  if ((mask & nameBit) !== 0) unread.push("name of the device");
  unread.push("mileage of the trip", "time of running", "time of sending", "number of the message");
  const events = event?.event === undefined ? [] : [event.event];
  if (isEvent) reader.pass(event?.bytes ?? 0, event?.name ?? "", unread);
  else skipBeforePosition(reader, kind, unread);
  const leftOut: string[] = [];
  const isCompressed = !isEvent && kind === compressedReport;
  const read = isCompressed
    ? readCompressed(reader, fields, leftOut)
    : readPositions(reader, { fields, events, sentAt: sentAtOf(message) }, leftOut, unread);
  const rest = { ...(identity === undefined ? {} : { identity }), leftOut: [...new Set(leftOut)], unread };
  if (reader.isShort || read === null)
    return { ...failed(what, problemOf("malformed", "the positions do not fit")), ...rest };
  if (isEvent && event === undefined) unread.push(`event ${kind}`);
  reader.pass(reader.left, "cell towers and trip", unread);
  const problem = read.length === 0 ? problemOf("no_time", "no position with a time") : null;
  return { what: event === undefined ? what : `${event.what}, ${what}`, frames: read, problem, ...rest };
}

function failed(what: string, problem: DecodedMessage<unknown>["problem"]): BinaryContents {
  return { what, frames: [], problem, leftOut: [], unread: [] };
}

/** Two digits in a byte, as a number; the last byte has one. */
function binaryImei(id: Uint8Array): TrackerIdentity | undefined {
  const digits = Array.from(id, (byte, index) => String(byte).padStart(index < 7 ? 2 : 1, "0")).join("");
  return /^\d{15}$/.test(digits) ? { kind: "imei", value: digits } : undefined;
}

/** Whole kilometres and a tenth. */
function mileageBefore(message: Uint8Array, end: number): number | null {
  const reader = new ByteReader(message, Math.max(0, end));
  const km = reader.u32() + reader.u8() / 10;
  return reader.isShort || km === 0 ? null : Math.round(km * 10) / 10;
}

function skipBeforePosition(reader: ByteReader, kind: number, unread: string[]): void {
  if (kind === fenceReport) reader.pass(2, "fence", unread);
  if (kind !== compressedReport) reader.pass(1, "number of the report", unread);
  if (kind !== callReport) return;
  // The number that called: its length, and two digits a byte up to one that is none.
  reader.skip(1);
  while (reader.left > 0) {
    const byte = reader.u8();
    if ((byte & 15) === 15 || byte >> 4 === 15) break;
  }
  unread.push("phone number");
}

/** What holds as of now. */
interface BinaryState {
  readonly fields: ReadFields;
  readonly events: readonly TrackerEvent[];
  readonly sentAt: number | null;
}

function sentAtOf(message: Uint8Array): number | null {
  return readBinaryTime(new ByteReader(message, Math.max(0, message.length - sentBytes)));
}

/** A count, then for each: accuracy, speed, heading, altitude, place, time, cell. Null: they do not fit. */
function readPositions(
  reader: ByteReader,
  { fields, events, sentAt }: BinaryState,
  leftOut: string[],
  unread: string[],
): readonly TrackerFrame[] | null {
  const count = reader.u8();
  if (count * positionBytes > reader.left) return null;
  const frames: TrackerFrame[] = [];
  for (let number = 1; number <= count; number++) {
    const accuracy = reader.u8();
    const speed = reader.u16() + reader.u8() / 10;
    const [heading, altitude] = [reader.u16(), reader.i16()];
    const [longitude, latitude] = [reader.i32() / 1e6, reader.i32() / 1e6];
    const at = readBinaryTime(reader);
    reader.pass(8 + 1, "cell towers", unread);
    if (at === null) continue;
    // An accuracy of 0: where it was when it last had a fix, which is then.
    const place = {
      fix: true,
      latitude,
      longitude,
      heading_deg: heading,
      altitude_m: altitude,
      hdop: accuracy || null,
    };
    const isLast = number === count;
    const isOld = isLast && accuracy === 0 && sentAt !== null && !isFresh(at, sentAt, null);
    const isNow = isLast && !isOld;
    const read = { ...(isNow ? fields : {}), ...place, speed_kmh: Math.round(speed * 10) / 10 };
    frames.push(...trackerFrames(at, read, isNow ? events : [], leftOut));
    // The place stays true for then. What happened, happened when it was sent.
    if (isOld) frames.push(...trackerFrames(sentAt, { ...fields, fix: false }, events, leftOut));
  }
  return frames;
}

/** Year in two bytes, month, day, hour, minute, second; UTC. */
function readBinaryTime(reader: ByteReader): number | null {
  return utcTime([reader.u16(), reader.u8(), reader.u8(), reader.u8(), reader.u8(), reader.u8()]);
}

/** For the decoder: a binary message of another kind. */
export function unknownBinary<Session>(message: Uint8Array, session: Session): DecodedMessage<Session> {
  const name = /^\+[A-Z]{3}/.exec(textOf(message.subarray(0, 4)))?.[0] ?? "";
  const problem = problemOf("unknown_message", `binary report ${name}: set the tracker to send text`);
  return decoded("binary report", session, { problem });
}
