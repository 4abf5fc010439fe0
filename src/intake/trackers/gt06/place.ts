import type { ByteReader } from "../kit/bytes.ts";
import { toSeventh, utcTime } from "../kit/values.ts";
import type { Gt06Report, Part } from "./report.ts";

/** Latitude and longitude are in 1/30,000 of a minute. */
const unitsPerDegree = 1_800_000;

/** Six bytes by the clock of the tracker. */
export function time(report: Gt06Report): void {
  const at = utcTime(report.reader.take(6));
  report.recordedAt = at === null ? null : at - report.zoneMinutes * 60_000;
}

export function epochTime(report: Gt06Report): void {
  report.recordedAt = fromEpoch(report.reader.u32());
}

/** Seconds since 1970. 0: the clock is not set. */
export function fromEpoch(seconds: number): number | null {
  return seconds === 0 ? null : seconds * 1000;
}

/** Satellites, place, speed, course. */
export function gps(report: Gt06Report): void {
  const { reader } = report;
  report.fields.satellites = reader.u8() & 15;
  const [latitude, longitude, speed, flags] = [reader.u32(), reader.u32(), reader.u8(), reader.u16()];
  setPlace(report, latitude, longitude, flags, speed);
}

/** `flags`: course, hemispheres, whether the place is a fix; in newer firmware the ignition too. */
export function setPlace(
  { fields, unread }: Gt06Report,
  latitude: number,
  longitude: number,
  flags: number,
  speed: number | null,
): void {
  fields.fix = (flags & 0x1000) !== 0;
  if (fields.fix) {
    const [south, west] = [(flags & 0x400) === 0, (flags & 0x800) !== 0];
    fields.latitude = toSeventh((south ? -latitude : latitude) / unitsPerDegree);
    fields.longitude = toSeventh((west ? -longitude : longitude) / unitsPerDegree);
    fields.heading_deg = flags & 0x3ff;
    fields.speed_kmh = speed;
  }
  // Where it was when it last had a fix.
  else if ((latitude !== 0 || longitude !== 0) && !unread.includes("old place")) unread.push("old place");
  if (flags & 0x4000) fields.ignition = (flags & 0x8000) !== 0;
}

/** There is no place in this message, only cells or access points. */
export function noFix({ fields }: Gt06Report): void {
  fields.fix = false;
}

/** Bytes of area and cell number, after the network. */
const areaAndCell = { "2g": 2 + 3, wide: 2 + 4, "4g": 4 + 8 } as const;
type CellForm = keyof typeof areaAndCell;
const cellTower = "cell tower";

/** Country, network, area, cell. Some firmware leaves it out at the end of a message. */
export function cell(form: CellForm, hasWideNetwork = false): Part {
  return ({ reader, unread }) => {
    if (reader.left === 0) return;
    reader.pass(2 + networkBytes(reader, hasWideNetwork) + areaAndCell[form], cellTower, unread);
  };
}

/** The highest bit of the country says that the network's number has two bytes. */
function networkBytes({ bytes, at }: ByteReader, hasWideNetwork: boolean): number {
  return hasWideNetwork || (bytes[at] ?? 0) & 0x80 ? 2 : 1;
}

/**
 * A cell with its length before it, which counts itself in some firmware. 0: no cell, but there may be zeros in its place. `tail`:
 * how many bytes follow at least.
 */
export function countedCell(form: CellForm, tail: number, hasWideNetwork = false): Part {
  return ({ reader, unread }) => {
    const length = reader.u8();
    const room = reader.left - tail;
    if (length === 0) {
      reader.pass(Math.max(0, room), cellTower, unread);
      return;
    }
    const own = 2 + networkBytes(reader, hasWideNetwork) + areaAndCell[form];
    const counted = Math.max(own, length - 1);
    reader.pass(counted <= room ? counted : own, cellTower, unread);
  };
}
