import { toKmh } from "../../formats/units.ts";
import { ByteReader, bcd } from "../kit/bytes.ts";
import { problemOf } from "../kit/decoded.ts";
import type { TrackerEvent } from "../kit/events.ts";
import { degreesOfMinutes, hexNumber, utcTime } from "../kit/values.ts";
import { type DecodedReport, eventsOfBits, hasBit, Jt808Report, nothingDecoded } from "./report.ts";
import { itemList, signedWord } from "./tlv.ts";

/** What the alarm bits mean depends on the product. */
const eventsByProduct: Readonly<Record<number, Readonly<Record<number, TrackerEvent>>>> = {
  1: { 0: "low_power" },
  2: { 0: "low_power" },
  3: { 0: "overspeed", 1: "low_power", 2: "vibration", 3: "low_battery", 5: "geofence_enter", 6: "geofence_exit" },
};

const fixedBytes = 35;

/**
 * Padlocks of Jointech: time (day first, UTC) and place as digits, degrees and minutes. A stored report, from where there was no
 * network, looks the same.
 */
export function decodePadlock(bytes: Uint8Array): DecodedReport {
  if (bytes.length < fixedBytes) {
    return { ...nothingDecoded, problem: problemOf("malformed", `a location of ${bytes.length} bytes`) };
  }
  const report = new Jt808Report();
  const reader = new ByteReader(bytes);
  const [day, month, year, ...clock] = Array.from(reader.take(6), bcd);
  const at = utcTime([year, month, day, ...clock]);
  readPlace(reader, report);
  reader.pass(1, "signal", report.unread);
  report.fields.satellites = reader.u8();
  report.odometer(reader.u32());
  const battery = reader.u8();
  // 0xaa and 0xab: charging.
  if (battery <= 100) report.battery(battery);
  reader.pass(6, "cell tower", report.unread);
  const product = reader.u8();
  reader.pass(2, "state of the padlock", report.unread);
  const alarms = reader.u16();
  for (const event of eventsOfBits(alarms, eventsByProduct[product] ?? {})) report.event(event);
  readPadlockItems(bytes.subarray(reader.at), report);
  return report.decodedAt(at);
}

/** Eight and nine digits, then four flags: located, north, east. */
function readPlace(reader: ByteReader, report: Jt808Report): void {
  const digits = reader.take(9).toHex();
  const flags = Number.parseInt(digits[17] ?? "0", 16);
  const [knots, heading] = [bcd(reader.u8()), reader.u8() * 2];
  report.fields.fix = hasBit(flags, 0);
  if (!report.fields.fix) {
    if (/[1-9]/.test(digits.slice(0, 17))) report.unread.push("old place");
    return;
  }
  report.fields.latitude = degreesOfMinutes(withPoint(digits.slice(0, 8)), hasBit(flags, 1) ? "N" : "S");
  report.fields.longitude = degreesOfMinutes(withPoint(digits.slice(8, 17)), hasBit(flags, 2) ? "E" : "W");
  report.fields.speed_kmh = Number.isNaN(knots) ? null : toKmh(knots, "knots");
  report.fields.heading_deg = heading;
}

/** The minutes have four digits behind the point. */
function withPoint(digits: string): string {
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

function readPadlockItems(bytes: Uint8Array, report: Jt808Report): void {
  const list = itemList(bytes, { id: 1, length: 1 });
  for (const { id, value } of list.items) {
    if (id === 0x02 && value.length === 2) {
      if (report.fields.fix === true) report.fields.altitude_m = signedWord(value);
    } else report.unread.push(`item ${hexNumber(id)}`);
  }
  if (!list.isWhole) report.unread.push("a cut item");
}
