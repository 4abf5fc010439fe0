import { BoundedMap } from "../../domain/bounded-map.ts";
import { reportedFields, valuesAlone } from "../../domain/reported.ts";
import { dayMs, formatInstant } from "../../domain/time/time.ts";
import { verdictOf } from "../../domain/verdict.ts";
import { type BlockColumn, sameJson } from "../../store/blocks/columns.ts";
import { fourDigits, writeDecimal } from "../../store/blocks/decimal-text.ts";
import type { FrameBlock } from "../../store/blocks/frame-block.ts";
import type { FrameLine } from "../../store/blocks/frame-line.ts";
import type { DeviceIdentity } from "../../store/fleet/devices.ts";
import type { DriverNames } from "../../store/fleet/drivers.ts";
import { type FoundFrame, type FoundRun, FrameInBlock, FrameRun } from "../../store/frames/found-frames.ts";
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
  let dayStart = Number.NaN;
  let date = new Literal("");
  return (view, at, ms) => {
    if (!(ms >= dayStart && ms < dayStart + dayMs)) {
      dayStart = Math.floor(ms / dayMs) * dayMs;
      date = new Literal(formatInstant(dayStart).replace(/00:00:00\.000Z$/, ""));
    }
    return writeTime(view, writeLiteral(view, at, date), (ms - dayStart) | 0);
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
/** How the records of devices begin. A reader of one page of a device mostly reads the next. */
const heads = new BoundedMap<string, Literal>({ max: 1_000 });

/** Frames are recorded at one time and received at another. */
const writeRecordedAt = instantWriter();
const writeReceivedAt = instantWriter();

/** Writes the first `count` frames of a page. Returns the key of the last of them if others follow, otherwise null. */
export function writeFrames(
  json: JsonWriter,
  { id, imei }: Pick<DeviceIdentity, "id" | "imei">,
  runs: readonly FoundRun[],
  count: number,
  names: DriverNames,
): FrameKey | null {
  const text = `{"device_id":"${id}","imei":"${imei}","recorded_at":"`;
  const start = { at: json.at, head: heads.getOrMake(text, () => new Literal(text)) };
  let left = count;
  let last: FoundFrame | null = null;
  for (const run of runs) {
    if (left === 0) return keyOf(last);
    if (run instanceof FrameRun) {
      const end = Math.min(run.end, run.start + left);
      writeRun(json, start, run, end, names);
      last = new FrameInBlock(run.block, end - 1);
      if (end < run.end) return keyOf(last);
      left -= end - run.start;
    } else {
      writeLine(json, start, run, names);
      last = run;
      left--;
    }
  }
  return null;
}

function keyOf(frame: FoundFrame | null): FrameKey | null {
  return frame && { at: frame.recordedAt, digest: frame.digest };
}

interface ListStart {
  /** Where the first record begins. */
  readonly at: number;
  readonly head: Literal;
}

function writeLine(json: JsonWriter, start: ListStart, line: FrameLine, names: DriverNames): void {
  const { view } = json.reserved(roomForFrame);
  json.at = writeLiteral(view, writeTimes(json, start, line.recordedAt, line.receivedAt), endOfTime);
  json.values(reportedKeys, valuesAlone(line.reportedJson));
  json.json(endOf(line.verdict, line.driverId, line.timeSource, names));
}

/** The innermost loop of the read API: it makes no object and no text for a frame without a driver. */
function writeRun(json: JsonWriter, start: ListStart, run: FrameRun, end: number, names: DriverNames): void {
  const { block } = run;
  const layout = layoutOf(block);
  const columns = layout.fields.map((field) => block.reported[field] as BlockColumn);
  for (let index = run.start; index < end; index++) {
    json.reserved(roomForFrame + layout.room);
    const at = writeTimes(json, start, block.recordedAt[index] as number, block.receivedAt(index));
    json.at = writeReported(json, at, layout, columns, index);
    if (!layout.hasEnd) {
      json.json(endOf(block.verdict(index), block.driverId(index), block.timeSource(index), names));
    }
  }
}

/** Writes a record, into reserved room, up to its second time. Returns the place after that. */
function writeTimes(json: JsonWriter, { at: first, head }: ListStart, recordedAt: number, receivedAt: number): number {
  const { bytes, view } = json.reserved(0);
  let { at } = json;
  if (at !== first) bytes[at++] = comma;
  at = writeRecordedAt(view, writeLiteral(view, at, head), recordedAt);
  return writeReceivedAt(view, writeLiteral(view, at, receivedKey), receivedAt);
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
  /** Whether `after` ends the record: all have the same verdict, no driver, and the time of their tracker. */
  readonly hasEnd: boolean;
  /** How many bytes all of these texts have. */
  readonly room: number;
}

/** Most blocks of a fleet have the same. One takes some kilobytes, and the more the longer its texts are. */
const layouts = new BoundedMap<string, BlockLayout>({ max: 2_000_000, weigh: (_, { room }) => 1_000 + 3 * room });

/** A layout follows from the values that all frames of the block share, and from the end of their records. */
function layoutOf(block: FrameBlock): BlockLayout {
  const isOrdinary = block.hasOneVerdict && !block.hasDrivers && !block.hasReceipts;
  const end = isOrdinary ? ordinaryEnd(block.verdict(0)) : null;
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
  columns: readonly BlockColumn[],
  index: number,
): number {
  let { bytes, view } = json.reserved(0);
  let at = start;
  for (let place = 0; place < columns.length; place++) {
    const column = columns[place] as BlockColumn;
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

/** The ends of ordinary records, by their verdict: there are a dozen. */
const ends = new Map<string | null, string>();

function endOf(
  verdict: string | null,
  driverId: string | undefined,
  timeSource: FoundFrame["timeSource"],
  names: DriverNames,
): string {
  if (driverId === undefined && timeSource === undefined) return ordinaryEnd(verdict);
  const driver_name = driverId === undefined ? null : (names.get(driverId) ?? null);
  return endText(verdict, { driver_id: driverId ?? null, driver_name, time_source: timeSource ?? "tracker" });
}

/** Without a driver, and with the time of the tracker. */
function ordinaryEnd(verdict: string | null): string {
  const end = ends.get(verdict) ?? endText(verdict, { driver_id: null, driver_name: null, time_source: "tracker" });
  ends.set(verdict, end);
  return end;
}

function endText(verdict: string | null, last: Readonly<Record<string, string | null>>): string {
  const { valid, rejectReason: reject_reason, discontinuity } = verdictOf(verdict);
  return `,${JSON.stringify({ valid, reject_reason, discontinuity, ...last }).slice(1)}`;
}
