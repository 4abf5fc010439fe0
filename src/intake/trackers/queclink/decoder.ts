import { textOf } from "../kit/bytes.ts";
import { decoded, problemOf } from "../kit/decoded.ts";
import type { TrackerEvent } from "../kit/events.ts";
import type { DecodedMessage, DecodeProblem } from "../kit/family.ts";
import { type ReadFields, type TrackerFrame, trackerFrames } from "../kit/frame.ts";
import { temperatureReport } from "../kit/sensors.ts";
import { namesOfFilled } from "../kit/text-values.ts";
import { readAccessories } from "./accessories.ts";
import { readBinaryReport, unknownBinary } from "./binary.ts";
import { readCan, readInformation } from "./information.ts";
import { type Sections, sectionsOf } from "./location.ts";
import { hexNumberOf, queclinkNumber, readMessage, type TrackMessage } from "./message.ts";
import { modelOf } from "./models.ts";
import { readProMessage } from "./pro.ts";
import { acknowledgement } from "./replies.ts";
import { type HeadValues, headLengthsOf, readHead, reports } from "./reports.ts";
import { readTail } from "./tail.ts";
import { isFresh, offsetShown, sentAtUtc } from "./times.ts";

export interface QueclinkSession {
  /** The offset of the device's local time from UTC, as its reports have named or shown it; null: not yet. */
  readonly zoneMinutes: number | null;
}

type Decoded = DecodedMessage<QueclinkSession>;

export function decode(bytes: Uint8Array, session: QueclinkSession): Decoded {
  const message = readMessage(bytes);
  if (message === null) return unreadable(bytes, session);
  const { kind, type, identity } = message;
  const owed = { identity, reply: acknowledgement(message) };
  // A heartbeat has the form of an answer.
  const isAnswer = (kind === "ACK" || kind === "NACK") && type !== "HBD";
  if (isAnswer) return decoded(`answer to a command, GT${type}`, session, { ...owed, unread: ["text of the answer"] });
  return { ...owed, ...decodeReport(message, session) };
}

type ReportResult = Pick<Decoded, "what" | "frames" | "session" | "problem" | "leftOut" | "unread">;

function decodeReport(message: TrackMessage, session: QueclinkSession): ReportResult {
  const { type } = message;
  const report = reports[type];
  const sections = sectionsOf(message, headLengthsOf(type, modelOf(message.version)));
  const { fields, head, zoneMinutes: named, ...names } = readFields(message, sections);
  const unread = [...names.unread, ...namesAround(message, sections)];
  const zoneMinutes = named ?? zoneShown(message, sections) ?? session.zoneMinutes;
  const what = `${report?.what ?? "report"}, GT${type}`;
  const leftOut: string[] = [];
  const known = { what, session: { zoneMinutes }, leftOut };
  // Whatever a report that we do not know says, its position has the form of all positions.
  if (report === undefined && sections.positions.length === 0)
    return { ...known, frames: [], unread, problem: problemOf("unknown_message", `report GT${type}`) };
  const isWithoutFix = sections.isEmpty || report?.isWithoutFix === true;
  const state = { ...fields, fix: isWithoutFix ? false : null };
  const frames = framesOf(message, sections, zoneMinutes, state, report?.events?.(head) ?? [], leftOut);
  return {
    ...known,
    frames,
    unread: report === undefined ? [...unread, `report GT${type}`] : unread,
    problem: problemWith(message, frames),
  };
}

/** What every report has that is not read, or not always. */
function namesAround({ version, sentAt }: TrackMessage, { cells, positions }: Sections): readonly string[] {
  const isTimed = sentAt !== null && positions.at(-1)?.isCurrent === true;
  return [
    ...namesOfFilled({ "version of the protocol": version, "cell tower": cells }),
    ...(isTimed ? ["time of sending"] : []),
  ];
}

/** A report with a fix of now has the same moment twice: in UTC, and in the device's local time. */
function zoneShown({ sentAt }: TrackMessage, { positions }: Sections): number | null {
  const last = positions.at(-1);
  return last?.isCurrent === true && sentAt !== null ? offsetShown(last.at, sentAt) : null;
}

interface ReportFields {
  readonly fields: ReadFields;
  readonly head: HeadValues;
  readonly unread: readonly string[];
  /** Only if the report names it. */
  readonly zoneMinutes?: number;
}

function readFields(message: TrackMessage, sections: Sections): ReportFields {
  const { type, version, columns } = message;
  const model = modelOf(version);
  const report = reports[type];
  const unread = report?.unread === undefined ? [] : [report.unread];
  if (type === "INF")
    return { head: {}, unread: [...unread, ...unnamedColumns(columns)], ...readInformation(message, model) };
  if (type === "CAN") return { head: {}, unread: [...unread, ...unnamedColumns(columns)], fields: readCan(message) };
  const { values: head, unread: headUnread } = readHead(type, model, sections.head);
  const tail = readTail(type, model, sections.tail);
  const accessories = readAccessories(type === "ERI" ? (hexNumberOf(head.mask) ?? 0) : 0, model, tail.rest);
  // Portable trackers have the number of a geofence or an input there: one digit.
  const millivolts = /^\d{2,6}$/.test(head.power ?? "") ? Number(head.power) : null;
  const celsius = queclinkNumber(head.temperature) ?? tail.temperatureC;
  const battery = report?.batteryAt === undefined ? head.battery : columns.at(report.batteryAt);
  return {
    head,
    unread: [
      ...unread,
      ...accessories.unread,
      ...(sections.head.length === 0 ? unnamedColumns(columns) : []),
      ...namesOfFilled({
        "columns before the position": headUnread,
        "hours and inputs": tail.others,
        "columns at the end": (type === "ERI" ? tail.rest.slice(0, 1) : tail.rest).join(""),
      }),
    ],
    fields: {
      ignition: report?.ignition?.(head, model) ?? tail.ignition,
      satellites: queclinkNumber(head.satellites) ?? tail.satellites,
      odometer_km: tail.odometerKm,
      battery_percent: queclinkNumber(battery) ?? tail.batteryPercent,
      external_voltage_v: millivolts === null ? null : millivolts / 1000,
      driver_id: head.driver ?? null,
      sensors: [...(celsius === null ? [] : [temperatureReport("internal", celsius)]), ...accessories.sensors],
    },
  };
}

/** Of reports without a position. */
function unnamedColumns(columns: readonly string[]): readonly string[] {
  return namesOfFilled({
    "other columns": columns.join(""),
    "SIM card and signal": columns.slice(2, 5).join(""),
    "name and state": columns.slice(0, 2).join(""),
    "battery and connection": columns.slice(5).join(""),
  });
}

/** One for each position. What else the message says belongs to the last: it is as of now. */
function framesOf(
  message: TrackMessage,
  { positions }: Sections,
  zoneMinutes: number | null,
  fields: ReadFields,
  events: readonly TrackerEvent[],
  leftOut: string[],
): readonly TrackerFrame[] {
  const last = positions.at(-1);
  const sentAt = sentAtUtc(message.sentAt, zoneMinutes);
  const isLastOld = last !== undefined && !last.isCurrent && !isFresh(last.at, message.sentAt, zoneMinutes);
  const plain = isLastOld ? positions : positions.slice(0, -1);
  const earlier = plain.flatMap(({ at, place }) => trackerFrames(at, place, [], leftOut));
  if (last !== undefined && !isLastOld)
    return [...earlier, ...trackerFrames(last.at, { ...fields, ...last.place }, events, leftOut)];
  // The tracker repeats where it was when it last had a fix: that stays true for then. What happened, happened now.
  const now = isLastOld ? { ...fields, fix: false } : fields;
  return sentAt === null ? earlier : [...earlier, ...trackerFrames(sentAt, now, events, leftOut)];
}

function problemWith(message: TrackMessage, frames: readonly TrackerFrame[]): DecodeProblem | null {
  if (message.count === null) return problemOf("malformed", "the message ends without its count");
  return frames.length === 0 ? problemOf("no_time", "neither a fix nor a time of sending") : null;
}

function unreadable(bytes: Uint8Array, session: QueclinkSession): Decoded {
  const start = textOf(bytes).trimStart();
  if (/^\+[A-Z]{3,4}:/.test(start))
    return decoded("text", session, { problem: problemOf("malformed", "no identity where a message has it") });
  const [, second] = bytes;
  if (second === 0x00 || second === 0x10) return { ...decoded("", session), ...readProMessage(bytes) };
  if (/^\+(RSP|BSP|EVT|BVT)/.test(start)) return { ...decoded("", session), ...readBinaryReport(bytes) };
  return unknownBinary(bytes, session);
}
