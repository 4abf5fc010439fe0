import type { FramePlace } from "../../domain/frame.ts";
import { parseReported, type Reported, reportedFields } from "../../domain/reported.ts";
import { parseInstant } from "../../domain/time/time.ts";

/**
 * A frame as 1.0.0 stored it: one text of these parts, without anything between them,
 * - one character for the length of each part of variable length, except the last: `0` is none, `1` is one, `:` is ten,
 * - the digest in base 36,
 * - the time it was recorded, without the `Z`,
 * - the time it was received, without the date if that is the same,
 * - the reported values in their order, without the event, each as JSON, nothing for null,
 * - the verdict, which the row has in columns, too,
 * - the event as JSON, if there is one, and a line feed.
 */
const lengthCount = reportedFields.length + 1;
const digestLength = 11;
const dateLength = "YYYY-MM-DDT".length;
const instantLength = "YYYY-MM-DDThh:mm:ss.mmm".length;
const recordedStart = lengthCount + digestLength;
const zero = "0".charCodeAt(0);

export interface OldFrame extends Reported, FramePlace {
  readonly receivedAt: number;
}

/** The frame's place in the order of its device, from the part of fixed length at the beginning. */
export function parseOldPlace(text: string): FramePlace {
  const digest = Number.parseInt(text.slice(lengthCount, recordedStart), 36);
  return { recordedAt: instantOf(text.slice(recordedStart, recordedStart + instantLength)), digest };
}

export function parseOldFrame(text: string): OldFrame {
  const receivedStart = recordedStart + instantLength;
  let start = receivedStart + lengthAt(text, 0);
  const received = text.slice(receivedStart, start);
  const date = received.length === instantLength ? "" : text.slice(recordedStart, recordedStart + dateLength);
  const receivedAt = instantOf(`${date}${received}`);
  let array = "[";
  for (let index = 1; index < reportedFields.length; index++) {
    const end = start + lengthAt(text, index);
    array += end === start ? "null," : `${text.slice(start, end)},`;
    start = end;
  }
  start += lengthAt(text, reportedFields.length);
  const event = text.slice(start, -1);
  return { ...parseReported(`${array}${event || "null"}]`), ...parseOldPlace(text), receivedAt };
}

function lengthAt(text: string, index: number): number {
  return text.charCodeAt(index) - zero;
}

function instantOf(text: string): number {
  return parseInstant(text) ?? Number.NaN;
}
