import { reportedFields } from "../../domain/reported.ts";
import { verdictOf } from "../../domain/verdict.ts";
import type { Column } from "../../store/blocks/columns.ts";
import { writeDecimal } from "../../store/blocks/decimal-text.ts";
import type { FrameBlock } from "../../store/blocks/frame-block.ts";
import type { DeviceIdentity } from "../../store/fleet/devices.ts";
import { type FoundFrame, FrameInBlock } from "../../store/frames/frame-reads.ts";
import type { FrameKey } from "../../store/frames/positions.ts";
import { instantWriter } from "./instant-text.ts";
import type { JsonWriter } from "./json-writer.ts";
import { Literal, writeLiteral } from "./literal.ts";

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
 * the innermost loop of the read API: it makes no object and no text for a frame.
 */
export function writeFrames(
  json: JsonWriter,
  { id, imei }: Pick<DeviceIdentity, "id" | "imei">,
  frames: readonly FoundFrame[],
  count: number,
): FrameKey | null {
  const head = new Literal(`{"device_id":"${id}","imei":"${imei}","recorded_at":"`);
  const shown = Math.min(count, frames.length);
  for (let index = 0; index < shown; index++) {
    const frame = frames[index] as FoundFrame;
    const target = json.reserved(roomForFrame);
    let { at } = json;
    if (index > 0) target.bytes[at++] = comma;
    at = writeRecordedAt(target, writeLiteral(target.view, at, head), frame.recordedAt);
    at = writeReceivedAt(target, writeLiteral(target.view, at, receivedKey), frame.receivedAt);
    json.at = writeLiteral(target.view, at, endOfTime);
    if (frame instanceof FrameInBlock) writeReported(json, frame.block, frame.index);
    else json.values(reportedKeys, frame.reportedJson);
    json.at = writeLiteral(json.reserved(roomForFrame).view, json.at, endOf(frame.verdict));
  }
  const last = frames[shown - 1];
  return last === undefined || frames.length === shown ? null : { at: last.recordedAt, digest: last.digest };
}

function writeReported(json: JsonWriter, { reported }: FrameBlock, index: number): void {
  let { bytes, view } = json.reserved(roomForFrame);
  let { at } = json;
  for (let field = 0; field < reportedKeys.length; field++) {
    const column = reported[field] as Column;
    at = writeLiteral(view, at, reportedKeys[field] as Literal);
    if (column.decimals !== null) {
      const scaled = column.scaled[index] as number;
      at = Number.isNaN(scaled) ? writeLiteral(view, at, nullText) : writeDecimal(bytes, at, scaled, column.decimals);
      continue;
    }
    const value = column.jsonAt(index);
    if (value.length > maxShort) {
      json.at = at;
      ({ bytes, view } = json.reserved(value.length + roomForFrame));
    }
    for (let index = 0; index < value.length; index++) bytes[at++] = value[index] as number;
  }
  json.at = at;
}

/** The ends of records, by their verdict: there are a dozen. */
const ends = new Map<string | null, Literal>();

function endOf(verdict: string | null): Literal {
  let end = ends.get(verdict);
  if (end === undefined) {
    const { valid, rejectReason, discontinuity } = verdictOf(verdict);
    end = new Literal(`,${JSON.stringify({ valid, reject_reason: rejectReason, discontinuity }).slice(1)}`);
    ends.set(verdict, end);
  }
  return end;
}
