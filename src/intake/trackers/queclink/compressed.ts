import type { ByteReader } from "../kit/bytes.ts";
import { type ReadFields, type TrackerFrame, trackerFrames } from "../kit/frame.ts";

/** What the highest two bits of a point say. */
const [wholePoint, nextPoint] = [1, 2];

/** A point before the time of the first is none. */
interface Point {
  speed: number;
  heading: number;
  longitude: number;
  latitude: number;
  at: number;
}

/**
 * A point a second: the first whole, the others by how they differ from the one before; one byte where there is none, or none that differs.
 * Null: they do not fit.
 */
export function readCompressed(
  reader: ByteReader,
  fields: ReadFields,
  leftOut: string[],
): readonly TrackerFrame[] | null {
  const frames: TrackerFrame[] = [];
  const point: Point = { speed: 0, heading: 0, longitude: 0, latitude: 0, at: 0 };
  const count = reader.u16();
  for (let number = 1; number <= count; number++) {
    if (reader.left === 0) return null;
    if (point.at > 0) point.at++;
    const kind = (reader.bytes[reader.at] ?? 0) >> 6;
    if (kind === wholePoint) readWhole(reader, point);
    else if (kind === nextPoint) readNext(reader, point);
    else reader.skip(1);
    if (reader.isShort) return null;
    const isPoint = (kind === wholePoint || kind === nextPoint) && point.at > 0;
    if (!isPoint) continue;
    frames.push(...trackerFrames(point.at * 1000, placeOf(point), [], leftOut));
  }
  const last = frames.pop();
  // What else the message says holds for the last.
  const { recordedAt } = last ?? { recordedAt: 0 };
  return last === undefined
    ? []
    : [...frames, ...trackerFrames(recordedAt, { ...fields, ...placeOf(point) }, [], leftOut)];
}

/** Two bits of the kind, one of the fix, twelve of the speed, nine of the heading; the place; the time, in the first one only. */
function readWhole(reader: ByteReader, point: Point): void {
  const bits = reader.u24();
  point.speed = (bits >> 9) & 0xfff;
  point.heading = bits & 0x1ff;
  point.longitude = reader.i32();
  point.latitude = reader.i32();
  if (point.at === 0) point.at = reader.u32();
}

/** Two bits of the kind, one of the fix, then signed: 7 of the speed, 7 of the heading, 12 and 11 of the place. */
function readNext(reader: ByteReader, point: Point): void {
  const [high, low] = [reader.u8(), reader.u32()];
  point.speed += signed(((high & 0x1f) << 2) | (low >>> 30), 7);
  point.heading += signed((low >>> 23) & 0x7f, 7);
  point.longitude += signed((low >>> 11) & 0xfff, 12);
  point.latitude += signed(low & 0x7ff, 11);
}

function signed(value: number, bits: number): number {
  return value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
}

function placeOf({ speed, heading, longitude, latitude }: Point): ReadFields {
  const place = { latitude: latitude / 1e6, longitude: longitude / 1e6 };
  return { fix: true, ...place, speed_kmh: speed / 10, heading_deg: ((heading % 360) + 360) % 360 };
}
