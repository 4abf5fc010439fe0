import { ByteReader } from "../kit/bytes.ts";
import type { DecodeProblem } from "../kit/family.ts";
import type { TrackerFrame } from "../kit/frame.ts";
import { alarmBits2013, alarmBits2019, bitsWithoutEvent2013, bitsWithoutEvent2019 } from "./alarms.ts";
import { readTime } from "./bcd.ts";
import { readItems } from "./items/items.ts";
import { eventsOfBits, hasBit, Report } from "./report.ts";

/** Alarms, status, latitude, longitude, altitude, speed, heading, time. */
const basicBytes = 28;
/** What one vendor sends instead of items: odometer, battery and signal at fixed places. */
const fixedTailBytes = 18;

export interface DecodedLocation {
  readonly frames: readonly TrackerFrame[];
  readonly unread: readonly string[];
  readonly leftOut: readonly string[];
  readonly problem: DecodeProblem | null;
  readonly imei: string | null;
}

/** A location as in 0x0200, which others hold too. */
export function decodeLocation(bytes: Uint8Array, is2019: boolean): DecodedLocation {
  if (bytes.length < basicBytes) {
    const detail = `a location of ${bytes.length} bytes`;
    return { frames: [], unread: [], leftOut: [], problem: { kind: "malformed", detail }, imei: null };
  }
  const report = new Report();
  const reader = new ByteReader(bytes);
  const alarms = reader.u32();
  readStatusAndPlace(reader, report);
  readMotion(reader, report);
  const items = bytes.subarray(basicBytes);
  if (!isFixedTail(items)) readItems(items, report);
  else readFixedTail(items, report);
  readAlarms(alarms, is2019, report);
  // One of the items may name the zone.
  const at = readTime(reader, report.zoneMinutes);
  const { unread, imei } = report;
  if (at === null)
    return { frames: [], unread, leftOut: [], problem: { kind: "no_time", detail: "no such time" }, imei };
  const leftOut: string[] = [];
  return { frames: report.frames(at, leftOut), unread, leftOut, problem: null, imei };
}

/** No terminal has every alarm at once: one that does not use the field fills it with ones. */
const unusedAlarms = 0xffff_ffff;

/** After the items: they show whose bits these are, and one of them says more than the bit "area". */
function readAlarms(alarms: number, is2019: boolean, report: Report): void {
  if (alarms === unusedAlarms) {
    report.unread.push("alarms, all bits set");
    return;
  }
  const [edition, withoutEvent] = is2019
    ? [alarmBits2019, bitsWithoutEvent2019]
    : [alarmBits2013, bitsWithoutEvent2013];
  const isCrossing = report.events.has("geofence_enter") || report.events.has("geofence_exit");
  for (const event of eventsOfBits(alarms, report.alarmBits ?? edition)) {
    if (event !== "geofence" || !isCrossing) report.event(event);
  }
  for (const bit of withoutEvent) if (hasBit(alarms, bit)) report.unread.push(`alarm bit ${bit}`);
}

/** Locations one after another, each behind its length. What is wrong with one does not cost the others. */
export function decodeBatch(bytes: Uint8Array, lengthBytes: 1 | 2, is2019: boolean): DecodedLocation {
  const reader = new ByteReader(bytes);
  const decoded: DecodedLocation[] = [];
  while (reader.left > 0) {
    const location = reader.take(lengthBytes === 1 ? reader.u8() : reader.u16());
    if (!reader.isShort) decoded.push(decodeLocation(location, is2019));
  }
  const cut: DecodeProblem | null = reader.isShort ? { kind: "malformed", detail: "a cut batch" } : null;
  return {
    frames: decoded.flatMap(({ frames }) => frames),
    unread: decoded.flatMap(({ unread }) => unread),
    leftOut: decoded.flatMap(({ leftOut }) => leftOut),
    problem: decoded.find(({ problem }) => problem !== null)?.problem ?? cut,
    imei: decoded.find(({ imei }) => imei !== null)?.imei ?? null,
  };
}

/** Status bits and the place. A terminal that has no fix repeats its last place: that is none. */
export function readStatusAndPlace(reader: ByteReader, report: Report): void {
  const status = reader.u32();
  const [latitude, longitude] = [reader.u32() / 1e6, reader.u32() / 1e6];
  report.fields.ignition = hasBit(status, 0);
  report.fields.fix = hasBit(status, 1);
  if (!report.fields.fix) return;
  report.fields.latitude = hasBit(status, 2) ? -latitude : latitude;
  report.fields.longitude = hasBit(status, 3) ? -longitude : longitude;
}

/** Altitude, speed and heading. Without a fix they are as old as the place. */
export function readMotion(reader: ByteReader, report: Report): void {
  const [altitude_m, speed_kmh, heading_deg] = [reader.i16(), reader.u16() / 10, reader.u16()];
  if (report.fields.fix === true) Object.assign(report.fields, { altitude_m, speed_kmh, heading_deg });
}

/** Items never have the number 0, so zeros at the front show that these are none. */
function isFixedTail(items: Uint8Array): boolean {
  return items.length === fixedTailBytes && items[0] === 0;
}

function readFixedTail(items: Uint8Array, report: Report): void {
  const reader = new ByteReader(items, 4);
  report.odometer(reader.u32());
  report.unread.push("battery voltage", "area", "signal strength");
}
