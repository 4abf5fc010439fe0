import { ByteReader, bcd } from "../kit/bytes.ts";
import type { TrackerEvent } from "../kit/events.ts";
import { utcTime } from "../kit/values.ts";
import { passRest, rest } from "./extras.ts";
import { gps, noFix, time } from "./place.ts";
import { topinReply, topinTimeReply } from "./replies.ts";
import { addEvent, type Gt06Report, newReport, type Part, type ReadReport, readParts } from "./report.ts";
import { accessPointBytes, cellBytesByType, networkBytes } from "./topin-shape.ts";

/** What a message in Topin's dialect says; null: it is none that we know. */
export interface TopinMessage extends ReadReport {
  readonly what: string;
  readonly reply: Uint8Array | null;
}

interface TopinKind {
  readonly what: string;
  readonly parts: readonly Part[];
  /** Which part of the content is sent back; none: no answer. */
  readonly echo?: "time" | "all";
}

/** A percentage, then version and settings. */
function topinState({ reader, fields, unread }: Gt06Report): void {
  fields.battery_percent = reader.u8();
  reader.pass(reader.left, "version and settings", unread);
}

/** Newer firmware adds the altitude and bits of alarms. */
function altitudeAndAlarms(report: Gt06Report): void {
  const { reader, fields } = report;
  if (reader.left < 3) return;
  const altitude = reader.i16();
  if (fields.fix) fields.altitude_m = altitude;
  alarmBits(report);
}

function alarmBits(report: Gt06Report): void {
  const bits = report.reader.u8();
  if (bits & 1) report.events.push("vibration");
  if (bits & 2) report.events.push("overspeed");
  if (bits & 16) report.events.push("low_power");
}

/** In decimal digits, unlike the time of a place. Always UTC. */
function decimalTime(report: Gt06Report): void {
  report.recordedAt = utcTime(Array.from(report.reader.take(6), bcd));
}

/** Access points and cells, of which no place is made; newer firmware adds bits of alarms. */
function networks(report: Gt06Report): void {
  const { reader, type, unread } = report;
  reader.pass(accessPointBytes * (reader.bytes[2] ?? 0), "access points", unread);
  reader.pass(networkBytes + (cellBytesByType.get(type) ?? 0) * reader.u8(), "cell towers", unread);
  if (reader.left === 1) alarmBits(report);
}

/** A button or a knock: nothing else is in the message. With another length it is what is left of one of GT06. */
function alarm(event: TrackerEvent): Part {
  return (report) => addEvent(report, report.reader.bytes[2] === 1 ? event : undefined, "alarm");
}

const place: readonly Part[] = [time, gps, altitudeAndAlarms, passRest("bytes behind the alarms")];
const accessPoints: TopinKind = { what: "access points", parts: [decimalTime, noFix, networks], echo: "time" };

const kinds: ReadonlyMap<number, TopinKind> = new Map<number, TopinKind>([
  [0x08, { what: "heartbeat", parts: [rest] }],
  [0x10, { what: "location", parts: place, echo: "time" }],
  [0x11, { what: "location", parts: place, echo: "time" }],
  [0x13, { what: "heartbeat", parts: [topinState], echo: "all" }],
  [0x30, { what: "time request", parts: [rest] }],
  [0x94, { what: "alarm", parts: [alarm("vibration")] }],
  [0x99, { what: "alarm", parts: [alarm("sos")] }],
  ...[...cellBytesByType.keys()].map((type) => [type, accessPoints] as const),
]);

/** No model speaks differently. */
const utc = { zoneMinutes: 0, model: null } as const;

export function readTopin(message: Uint8Array, receivedAt: number): TopinMessage | null {
  const type = message[3] ?? 0;
  const kind = kinds.get(type);
  if (kind === undefined) return null;
  const content = message.subarray(4, message.length - 2);
  const read = readParts(() => newReport(new ByteReader(message, 4, message.length - 2), type, utc), kind.parts);
  return { ...read, what: kind.what, reply: answer(type, content, kind.echo, receivedAt) };
}

function answer(type: number, content: Uint8Array, echo: TopinKind["echo"], receivedAt: number): Uint8Array | null {
  if (type === 0x30) return topinTimeReply(receivedAt);
  if (echo === undefined) return null;
  return topinReply(echo === "time" ? 0 : content.length + 1, type, echo === "time" ? content.subarray(0, 6) : content);
}
