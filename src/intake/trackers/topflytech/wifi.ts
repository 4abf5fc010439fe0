import type { ByteReader } from "../kit/bytes.ts";
import { reported } from "../kit/decoded.ts";
import { addTopflytechAlarm, portableEvents } from "./events.ts";
import {
  newReading,
  type Report,
  readDigitTime,
  readPlace,
  readPortableState,
  readSpeed,
  type TopflytechReading,
} from "./report.ts";
import { isPlaceBit } from "./state.ts";

/** Time and the addresses around it: that it was there, and no place. */
export function readWifi(reader: ByteReader): Report {
  const unread: string[] = [];
  const at = readDigitTime(reader);
  reader.pass(reader.left, "addresses of Wi-Fi", unread);
  return { ...reported(at, { fix: false }), unread };
}

const wifiBit = 0x20;
/** A place with speed, degrees, satellites and dilution, or addresses of Wi-Fi: both take as much room. */
const whereBytes = 27;

/** A report of a portable tracker with a place, cells or Wi-Fi. */
export function readWifiReport(reader: ByteReader): TopflytechReading {
  const reading = newReading();
  const { fields, unread } = reading;
  const state = reader.u8();
  if ((state & ~(isPlaceBit | wifiBit)) !== 0) unread.push("whether it was stored, whether GPS sleeps");
  reading.alarm = reader.u8();
  addTopflytechAlarm(reading, portableEvents, reading.alarm);
  reading.at = readDigitTime(reader);
  const end = reader.at + whereBytes;
  if ((state & isPlaceBit) !== 0) {
    const place = readPlace(reader);
    const motion = { speed_kmh: readSpeed(reader), heading_deg: reader.u16() };
    fields.satellites = reader.u8();
    reader.pass(2, "dilution", unread);
    Object.assign(fields, place, place.fix === true ? motion : {});
  } else fields.fix = false;
  const where = (state & wifiBit) !== 0 ? "addresses of Wi-Fi" : "cell towers";
  reader.pass(Math.max(0, end - reader.at), where, unread);
  readPortableState(reader, reading);
  return reading;
}
