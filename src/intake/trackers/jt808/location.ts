import { ByteReader } from "../kit/bytes.ts";
import { problemOf } from "../kit/decoded.ts";
import { alarmBits2013, alarmBits2019, bitsWithoutEvent2013, bitsWithoutEvent2019 } from "./alarms.ts";
import { readTime } from "./bcd.ts";
import { readItems } from "./items/items.ts";
import { type DecodedReport, eventsOfBits, hasBit, Jt808Report, joinedReports, nothingDecoded } from "./report.ts";

/** Alarms, status, latitude, longitude, altitude, speed, heading, time. */
const basicBytes = 28;
/** What one vendor sends instead of items: odometer, battery and signal at fixed places. */
const fixedTailBytes = 18;

/** A location as in 0x0200, which others hold too. */
export function decodeJt808Location(bytes: Uint8Array, is2019: boolean): DecodedReport {
  if (bytes.length < basicBytes) {
    return { ...nothingDecoded, problem: problemOf("malformed", `a location of ${bytes.length} bytes`) };
  }
  const report = new Jt808Report();
  const reader = new ByteReader(bytes);
  const alarms = reader.u32();
  readStatusAndPlace(reader, report);
  readMotion(reader, report);
  const items = bytes.subarray(basicBytes);
  if (!isFixedTail(items)) readItems(items, report);
  else readFixedTail(items, report);
  readAlarms(alarms, is2019, report);
  // One of the items may name the zone.
  return report.decodedAt(readTime(reader, report.zoneMinutes));
}

/** No terminal has every alarm at once: one that does not use the field fills it with ones. */
const unusedAlarms = 0xffff_ffff;

/** After the items: they show whose bits these are, and one of them says more than the bit "area". */
function readAlarms(alarms: number, is2019: boolean, report: Jt808Report): void {
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

/** Locations one after another, each behind its length. */
export function decodeBatch(bytes: Uint8Array, lengthBytes: 1 | 2, is2019: boolean): DecodedReport {
  const reader = new ByteReader(bytes);
  const locations: DecodedReport[] = [];
  while (reader.left > 0) {
    const location = reader.take(lengthBytes === 1 ? reader.u8() : reader.u16());
    if (!reader.isShort) locations.push(decodeJt808Location(location, is2019));
  }
  if (reader.isShort) locations.push({ ...nothingDecoded, problem: problemOf("malformed", "a cut batch") });
  return joinedReports(locations);
}

/** Ignition, fix, south, west. */
const readStatusBits = 0b1111;

/** Status bits and the place. A terminal that has no fix repeats its last place: that is none. */
export function readStatusAndPlace(reader: ByteReader, report: Jt808Report): void {
  const status = reader.u32();
  const [latitude, longitude] = [reader.u32() / 1e6, reader.u32() / 1e6];
  report.fields.ignition = hasBit(status, 0);
  report.fields.fix = hasBit(status, 1);
  if ((status & ~readStatusBits) !== 0) report.unread.push("status bits");
  if (!report.fields.fix) {
    // Where it was when it last had one.
    if (latitude !== 0 || longitude !== 0) report.unread.push("old place");
    return;
  }
  report.fields.latitude = hasBit(status, 2) ? -latitude : latitude;
  report.fields.longitude = hasBit(status, 3) ? -longitude : longitude;
}

/** Altitude, speed and heading. Without a fix they are as old as the place. */
export function readMotion(reader: ByteReader, report: Jt808Report): void {
  const [altitude_m, speed_kmh, heading_deg] = [reader.i16(), reader.u16() / 10, reader.u16()];
  if (report.fields.fix === true) Object.assign(report.fields, { altitude_m, speed_kmh, heading_deg });
}

/** Items never have the number 0, so zeros at the front show that these are none. */
function isFixedTail(items: Uint8Array): boolean {
  return items.length === fixedTailBytes && items[0] === 0;
}

function readFixedTail(items: Uint8Array, report: Jt808Report): void {
  const reader = new ByteReader(items, 4);
  report.odometer(reader.u32());
  report.unread.push("battery voltage", "area", "signal strength");
}
