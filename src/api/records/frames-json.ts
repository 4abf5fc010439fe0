import { reportedFields } from "../../domain/reported.ts";
import { verdictOf } from "../../domain/verdict.ts";
import type { Column } from "../../store/blocks/columns.ts";
import type { FrameBlock } from "../../store/blocks/frame-block.ts";
import type { DeviceIdentity } from "../../store/devices.ts";
import { type FoundFrame, FrameInBlock } from "../../store/frame-reads.ts";
import type { FrameKey } from "../../store/positions.ts";
import { type JsonWriter, literal } from "./json-writer.ts";

export const reportedKeys = reportedFields.map((name) => literal(`,"${name}":`));
const receivedKey = literal('Z","received_at":"');
const endOfTime = literal('Z"');
const comma = literal(",");
const nullText = literal("null");

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
  const head = literal(`{"device_id":"${id}","imei":"${imei}","recorded_at":"`);
  const shown = Math.min(count, frames.length);
  for (let index = 0; index < shown; index++) {
    const frame = frames[index] as FoundFrame;
    if (index > 0) json.literal(comma);
    json.literal(head);
    json.instant(frame.recordedAt);
    json.literal(receivedKey);
    json.instant(frame.receivedAt);
    json.literal(endOfTime);
    if (frame instanceof FrameInBlock) writeReported(json, frame.block, frame.index);
    else json.values(reportedKeys, frame.reportedJson);
    json.literal(endOf(frame.verdict));
  }
  const last = frames[shown - 1];
  return last === undefined || frames.length === shown ? null : { at: last.recordedAt, digest: last.digest };
}

function writeReported(json: JsonWriter, { reported }: FrameBlock, index: number): void {
  for (let field = 0; field < reportedKeys.length; field++) {
    const column = reported[field] as Column;
    json.literal(reportedKeys[field] as Uint8Array);
    if (column.decimals === null) {
      const value = column.values[index];
      if (value === null) json.literal(nullText);
      else json.json(JSON.stringify(value));
      continue;
    }
    const scaled = column.scaled[index] as number;
    if (Number.isNaN(scaled)) json.literal(nullText);
    else json.decimal(scaled, column.decimals);
  }
}

/** The ends of records, by their verdict: there are a dozen. */
const ends = new Map<string | null, Uint8Array>();

function endOf(verdict: string | null): Uint8Array {
  let end = ends.get(verdict);
  if (end === undefined) {
    const { valid, rejectReason, discontinuity } = verdictOf(verdict);
    end = literal(`,${JSON.stringify({ valid, reject_reason: rejectReason, discontinuity }).slice(1)}`);
    ends.set(verdict, end);
  }
  return end;
}
