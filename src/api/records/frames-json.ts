import { reportedFields } from "../../domain/reported.ts";
import { dayMs, formatInstant } from "../../domain/time/time.ts";
import { verdictOf } from "../../domain/verdict.ts";
import type { Column } from "../../store/blocks/columns.ts";
import { writeDecimal } from "../../store/blocks/decimal-text.ts";
import type { FrameBlock } from "../../store/blocks/frame-block.ts";
import type { DeviceIdentity } from "../../store/fleet/devices.ts";
import type { DriverNames } from "../../store/fleet/drivers.ts";
import { type FoundFrame, FrameInBlock } from "../../store/frames/frame-reads.ts";
import type { FrameKey } from "../../store/frames/positions.ts";
import { type JsonWriter, Literal, type Target, writeLiteral } from "./json-writer.ts";

const zero = 48;
const colon = 58;
const point = 46;

/** Writes times as `2026-05-26T12:00:00.000`. Remembers the date, since most are of the same day as the one before. */
export function instantWriter(): (target: Target, at: number, ms: number) => number {
  let lastDay = Number.NaN;
  let date = new Literal("");
  return ({ bytes, view }, at, ms) => {
    const day = Math.floor(ms / dayMs);
    if (day !== lastDay) {
      lastDay = day;
      date = new Literal(formatInstant(day * dayMs).replace(/00:00:00\.000Z$/, ""));
    }
    return writeTime(bytes, writeLiteral(view, at, date), Math.floor(ms - day * dayMs));
  };
}

/** `12:00:00.000` of the milliseconds of a day. */
function writeTime(bytes: Uint8Array, at: number, ms: number): number {
  const seconds = (ms / 1000) | 0;
  const minutes = (seconds / 60) | 0;
  const hours = (minutes / 60) | 0;
  const millis = ms - seconds * 1000;
  const tens = (millis / 10) | 0;
  writePair(bytes, at, hours);
  bytes[at + 2] = colon;
  writePair(bytes, at + 3, minutes - hours * 60);
  bytes[at + 5] = colon;
  writePair(bytes, at + 6, seconds - minutes * 60);
  bytes[at + 8] = point;
  writePair(bytes, at + 9, tens);
  bytes[at + 11] = zero + millis - tens * 10;
  return at + 12;
}

function writePair(bytes: Uint8Array, at: number, value: number): void {
  const tens = (value / 10) | 0;
  bytes[at] = zero + tens;
  bytes[at + 1] = zero + value - tens * 10;
}

export const reportedKeys = reportedFields.map((name) => new Literal(`,"${name}":`));
const receivedKey = new Literal('Z","received_at":"');
const endOfTime = new Literal('Z"');
const nullText = new Literal("null");
const comma = 44;

/** More than a record needs, but for values of any length. */
const roomForFrame = 1024;
/** A number that does not scale is not longer. */
const maxShort = 32;

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
  const head = new Literal(`{"device_id":"${id}","imei":"${imei}","recorded_at":"`);
  const shown = Math.min(count, frames.length);
  let block: FrameBlock | null = null;
  let layout = noLayout;
  for (let index = 0; index < shown; index++) {
    const frame = frames[index] as FoundFrame;
    const target = json.reserved(roomForFrame);
    let { at } = json;
    if (index > 0) target.bytes[at++] = comma;
    at = writeRecordedAt(target, writeLiteral(target.view, at, head), frame.recordedAt);
    at = writeReceivedAt(target, writeLiteral(target.view, at, receivedKey), frame.receivedAt);
    if (frame instanceof FrameInBlock) {
      if (frame.block !== block) {
        block = frame.block;
        layout = layoutOf(block);
      }
      json.at = at;
      writeReported(json, layout, frame.index);
      if (!layout.hasEnd) writeEnd(json, frame, names);
    } else {
      json.at = writeLiteral(target.view, at, endOfTime);
      json.values(reportedKeys, frame.reportedJson);
      writeEnd(json, frame, names);
    }
  }
  const last = frames[shown - 1];
  return last === undefined || frames.length === shown ? null : { at: last.recordedAt, digest: last.digest };
}

/**
 * How frames of a block are written after their times. What is the same in all of them is one text with the keys around it, so
 * that only values that differ are written one by one.
 */
interface BlockLayout {
  readonly columns: readonly Column[];
  /** What stands before the value of each column. */
  readonly before: readonly Literal[];
  readonly after: Literal;
  /** Whether `after` ends the record: all have the same verdict, and no driver. */
  readonly hasEnd: boolean;
  /** How many bytes all of these have. */
  readonly length: number;
}

const noLayout: BlockLayout = { columns: [], before: [], after: new Literal(""), hasEnd: false, length: 0 };
const layouts = new WeakMap<FrameBlock, BlockLayout>();

function layoutOf(block: FrameBlock): BlockLayout {
  const known = layouts.get(block);
  if (known) return known;
  const columns: Column[] = [];
  const before: Literal[] = [];
  let text = 'Z"';
  for (const [field, column] of block.reported.entries()) {
    text += `,"${reportedFields[field]}":`;
    if (column.decimals === null && column.isSame) {
      text += column.jsonAt(0).toString();
      continue;
    }
    columns.push(column);
    before.push(new Literal(text));
    text = "";
  }
  const hasEnd = block.hasOneVerdict && !block.hasDrivers;
  const after = new Literal(hasEnd ? text + endText(block.verdict(0), noDriver) : text);
  const length = before.reduce((sum, literal) => sum + literal.length, after.length);
  const layout = { columns, before, after, hasEnd, length };
  layouts.set(block, layout);
  return layout;
}

function writeReported(json: JsonWriter, { columns, before, after, length }: BlockLayout, index: number): void {
  let { bytes, view } = json.reserved(length + roomForFrame);
  let { at } = json;
  for (let place = 0; place < columns.length; place++) {
    const column = columns[place] as Column;
    at = writeLiteral(view, at, before[place] as Literal);
    if (column.decimals !== null) {
      const scaled = column.scaled[index] as number;
      at = Number.isNaN(scaled) ? writeLiteral(view, at, nullText) : writeDecimal(bytes, at, scaled, column.decimals);
      continue;
    }
    const value = column.jsonAt(index);
    if (value.length > maxShort) {
      json.at = at;
      ({ bytes, view } = json.reserved(value.length + length + roomForFrame));
    }
    for (let index = 0; index < value.length; index++) bytes[at++] = value[index] as number;
  }
  json.at = writeLiteral(view, at, after);
}

function writeEnd(json: JsonWriter, { driverId, verdict }: FoundFrame, names: DriverNames): void {
  if (driverId === undefined) {
    json.at = writeLiteral(json.reserved(roomForFrame).view, json.at, endOf(verdict));
    return;
  }
  json.json(endText(verdict, { driver_id: driverId, driver_name: names.get(driverId) ?? null }));
}

interface DriverOfFrame {
  readonly driver_id: string | null;
  readonly driver_name: string | null;
}

const noDriver: DriverOfFrame = { driver_id: null, driver_name: null };

/** The ends of records without a driver, by their verdict: there are a dozen. */
const ends = new Map<string | null, Literal>();

function endOf(verdict: string | null): Literal {
  let end = ends.get(verdict);
  if (end === undefined) {
    end = new Literal(endText(verdict, noDriver));
    ends.set(verdict, end);
  }
  return end;
}

function endText(verdict: string | null, driver: DriverOfFrame): string {
  const { valid, rejectReason, discontinuity } = verdictOf(verdict);
  return `,${JSON.stringify({ valid, reject_reason: rejectReason, discontinuity, ...driver }).slice(1)}`;
}
