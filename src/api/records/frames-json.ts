import { BoundedMap } from "../../domain/bounded-map.ts";
import { reportedFields } from "../../domain/reported.ts";
import { dayMs, formatInstant } from "../../domain/time/time.ts";
import { verdictOf } from "../../domain/verdict.ts";
import { type Column, sameJson } from "../../store/blocks/columns.ts";
import { fourDigits, writeDecimal } from "../../store/blocks/decimal-text.ts";
import type { FrameBlock } from "../../store/blocks/frame-block.ts";
import type { DeviceIdentity } from "../../store/fleet/devices.ts";
import type { DriverNames } from "../../store/fleet/drivers.ts";
import { type FoundFrame, FrameInBlock } from "../../store/frames/frame-reads.ts";
import type { FrameKey } from "../../store/frames/positions.ts";
import { type JsonWriter, Literal, writeLiteral } from "./json-writer.ts";

/** The two digits of the numbers up to 59 and what follows them in a time, as a view stores them. */
const clockParts = (after: string) =>
  Uint32Array.from(
    { length: 60 },
    (_, number) => ((fourDigits[number] as number) >>> 16) + after.charCodeAt(0) * 65_536,
  );
const beforeColon = clockParts(":");
const beforePoint = clockParts(".");

/** Writes times as `2026-05-26T12:00:00.000`. Remembers the date, since most are of the same day as the one before. */
export function instantWriter(): (view: DataView, at: number, ms: number) => number {
  let lastDay = Number.NaN;
  let date = new Literal("");
  return (view, at, ms) => {
    const day = Math.floor(ms / dayMs);
    if (day !== lastDay) {
      lastDay = day;
      date = new Literal(formatInstant(day * dayMs).replace(/00:00:00\.000Z$/, ""));
    }
    return writeTime(view, writeLiteral(view, at, date), Math.floor(ms - day * dayMs));
  };
}

/** `12:00:00.000` of the milliseconds of a day. */
function writeTime(view: DataView, at: number, ms: number): number {
  const seconds = (ms / 1000) | 0;
  const minutes = (seconds / 60) | 0;
  const hours = (minutes / 60) | 0;
  view.setUint32(at, beforeColon[hours] as number, true);
  view.setUint32(at + 3, beforeColon[minutes - hours * 60] as number, true);
  view.setUint32(at + 6, beforePoint[seconds - minutes * 60] as number, true);
  view.setUint32(at + 9, (fourDigits[(ms - seconds * 1000) | 0] as number) >>> 8, true);
  return at + 12;
}

const reportedTexts = reportedFields.map((name) => `,"${name}":`);
export const reportedKeys = reportedTexts.map((text) => new Literal(text));
const receivedKey = new Literal('Z","received_at":"');
const endOfTime = new Literal('Z"');
const nullText = new Literal("null");
const comma = 44;

/** More than a record needs, but for values of any length. */
const roomForFrame = 1024;
/** How the records of devices begin. Whoever reads one page of a device mostly reads the next. */
const heads = new BoundedMap<string, Literal>({ max: 1_000 });

/** Frames are recorded at one time and received at another. */
const writeRecordedAt = instantWriter();
const writeReceivedAt = instantWriter();

/**
 * Writes the first `count` frames of a page. Returns the key of the last of them if others follow, otherwise null. This is
 * the innermost loop of the read API: it makes no object and no text for a frame without a driver.
 */
export function writeFrames(
  json: JsonWriter,
  { id, imei }: Pick<DeviceIdentity, "id" | "imei">,
  frames: readonly FoundFrame[],
  count: number,
  names: DriverNames,
): FrameKey | null {
  const start = `{"device_id":"${id}","imei":"${imei}","recorded_at":"`;
  const head = heads.getOrMake(start, () => new Literal(start));
  const shown = Math.min(count, frames.length);
  let block: FrameBlock | null = null;
  let layout = noLayout;
  let columns: readonly Column[] = [];
  for (let index = 0; index < shown; index++) {
    const frame = frames[index] as FoundFrame;
    const isInBlock = frame instanceof FrameInBlock;
    if (isInBlock && frame.block !== block) {
      block = frame.block;
      layout = layoutOf(block);
      columns = layout.fields.map((field) => frame.block.reported[field] as Column);
    }
    const { bytes, view } = json.reserved(roomForFrame + layout.room);
    let { at } = json;
    if (index > 0) bytes[at++] = comma;
    at = writeRecordedAt(view, writeLiteral(view, at, head), frame.recordedAt);
    at = writeReceivedAt(view, writeLiteral(view, at, receivedKey), frame.receivedAt);
    if (isInBlock) json.at = writeReported(json, at, layout, columns, frame.index);
    else {
      json.at = writeLiteral(view, at, endOfTime);
      json.values(reportedKeys, frame.reportedJson);
    }
    if (!isInBlock || !layout.hasEnd) writeEnd(json, frame, names);
  }
  const last = frames[shown - 1];
  return last === undefined || frames.length === shown ? null : { at: last.recordedAt, digest: last.digest };
}

/**
 * How frames of a block are written after their times. What is the same in all of them is one text with the keys around it, so
 * that only values that differ are written one by one.
 */
interface BlockLayout {
  /** Those that differ. */
  readonly fields: readonly number[];
  /** What stands before the value of each of them. */
  readonly before: readonly Literal[];
  readonly after: Literal;
  /** Whether `after` ends the record: all have the same verdict, and no driver. */
  readonly hasEnd: boolean;
  /** How many bytes all of these texts have. */
  readonly room: number;
}

const noLayout: BlockLayout = { fields: [], before: [], after: new Literal(""), hasEnd: false, room: 0 };

/** Most blocks of a fleet have the same. One takes some kilobytes, and the more the longer its texts are. */
const layouts = new BoundedMap<string, BlockLayout>({ max: 2_000_000, weigh: (_, { room }) => 1_000 + 3 * room });

/** A layout follows from the values that all frames of the block share, and from the end of their records. */
function layoutOf(block: FrameBlock): BlockLayout {
  const end = block.hasOneVerdict && !block.hasDrivers ? endOf(block.verdict(0)) : null;
  const same = block.reported.map(sameJson);
  // JSON has no line feed.
  return layouts.getOrMake(`${same.join("\n")}\n${end}`, () => newLayout(same, end));
}

function newLayout(same: readonly (string | null)[], end: string | null): BlockLayout {
  const fields: number[] = [];
  const before: Literal[] = [];
  let text = 'Z"';
  for (const [field, json] of same.entries()) {
    text += reportedTexts[field];
    if (json === null) {
      fields.push(field);
      before.push(new Literal(text));
      text = "";
    } else text += json;
  }
  const after = new Literal(text + (end ?? ""));
  const room = before.reduce((sum, literal) => sum + literal.length, after.length);
  return { fields, before, after, hasEnd: end !== null, room };
}

function writeReported(
  json: JsonWriter,
  start: number,
  { before, after, room }: BlockLayout,
  columns: readonly Column[],
  index: number,
): number {
  let { bytes, view } = json.reserved(0);
  let at = start;
  for (let place = 0; place < columns.length; place++) {
    const column = columns[place] as Column;
    at = writeLiteral(view, at, before[place] as Literal);
    if (column.decimals !== null) {
      const scaled = column.scaled[index] as number;
      at = Number.isNaN(scaled) ? writeLiteral(view, at, nullText) : writeDecimal(view, at, scaled, column.decimals);
      continue;
    }
    const value = column.jsonAt(index);
    json.at = at;
    ({ bytes, view } = json.reserved(value.length + room + roomForFrame));
    for (let index = 0; index < value.length; index++) bytes[at++] = value[index] as number;
  }
  return writeLiteral(view, at, after);
}

function writeEnd(json: JsonWriter, { driverId, verdict }: FoundFrame, names: DriverNames): void {
  if (driverId === undefined) json.json(endOf(verdict));
  else json.json(endText(verdict, { driver_id: driverId, driver_name: names.get(driverId) ?? null }));
}

interface DriverOfFrame {
  readonly driver_id: string | null;
  readonly driver_name: string | null;
}

const noDriver: DriverOfFrame = { driver_id: null, driver_name: null };

/** The ends of records without a driver, by their verdict: there are a dozen. */
const ends = new Map<string | null, string>();

function endOf(verdict: string | null): string {
  const end = ends.get(verdict) ?? endText(verdict, noDriver);
  ends.set(verdict, end);
  return end;
}

function endText(verdict: string | null, driver: DriverOfFrame): string {
  const { valid, rejectReason, discontinuity } = verdictOf(verdict);
  return `,${JSON.stringify({ valid, reject_reason: rejectReason, discontinuity, ...driver }).slice(1)}`;
}
