import type { FramePlace } from "./frame.ts";
import { type Reported, reportedFields, unpackReported } from "./reported.ts";
import { formatInstant, parseInstant } from "./time.ts";
import { accepted, acceptedDiscontinuity, type RejectReason, type Verdict } from "./verdict.ts";

/** What of a frame never changes and is shown: when it was recorded and received, and what the tracker reported. */
export interface PackableFrame extends Reported, FramePlace {
  readonly receivedAt: number;
}

/** What the text says of the verdict on a frame of a vehicle that was carried. */
const carried = "discontinuity";

/**
 * A frame as it is stored: one text, made so that a page of them becomes JSON by copying alone.
 *
 *     <::55532349250 1e370vajpj5 2026-05-26T12:00:00.000 12:00:01.347 52.5295691 13.4085454 34.28 … "sos" ⏎
 *
 * There are no blanks in it; the parts are
 * - a character for the length of each part whose length is not fixed, but for the last: `0` is none, `1` is one, `:` ten,
 * - the digest, to the base of 36,
 * - the time it was recorded, without the `Z`,
 * - the time it was received, without the date where that is the same,
 * - the reported values but the event in their order, each as JSON, and nothing for null,
 * - the verdict, unless it is the ordinary one: `discontinuity`, or the reason why the frame was rejected. It is the one
 *   part that may change; the store has columns for it, too, by which frames are found and judged,
 * - the event as JSON, if there is one,
 * - and a line feed, which no JSON holds: it ends the event, the one value of any length.
 */
export const packed = {
  /** The time of receipt, all values but the event, and the verdict have a length. */
  lengths: reportedFields.length + 1,
  /** The character for a length of 0. */
  zero: "0".charCodeAt(0),
  digest: 11,
  date: "YYYY-MM-DDT".length,
  instant: "YYYY-MM-DDThh:mm:ss.mmm".length,
  end: "\n",
} as const;

const recordedStart = packed.lengths + packed.digest;
const base = 36;
const msPerMinute = 60_000;
/** All but the event: each is short, and no text. */
const shortFields = reportedFields.slice(0, -1) as readonly Exclude<(typeof reportedFields)[number], "event">[];

export function packFrame(frame: PackableFrame, verdict: Verdict): string {
  const recorded = recordedText(frame.recordedAt);
  const received = receivedText(frame.receivedAt);
  const isSameDate = received.startsWith(recorded.slice(0, packed.date));
  let values = isSameDate ? received.slice(packed.date) : received;
  let lengths = lengthText(values);
  for (const field of shortFields) {
    const value = frame[field];
    const text = value === null ? "" : String(value);
    lengths += lengthText(text);
    values += text;
  }
  const decided = verdict.rejectReason ?? (verdict.discontinuity ? carried : "");
  lengths += lengthText(decided);
  const digest = frame.digest.toString(base).padStart(packed.digest, "0");
  const event = frame.event === null ? "" : JSON.stringify(frame.event);
  return `${lengths}${digest}${recorded}${values}${decided}${event}${packed.end}`;
}

/** Whether frames that stand one after another do so in their order: by the time they were recorded, then by the digest. */
export function areInOrder(frames: string): boolean {
  let last = 0;
  let lastRecorded = "";
  for (let start = 0; start < frames.length; ) {
    const recorded = frames.slice(start + recordedStart, start + recordedStart + packed.instant);
    if (recorded < lastRecorded) return false;
    if (recorded === lastRecorded && digestText(frames, start) < digestText(frames, last)) return false;
    last = start;
    lastRecorded = recorded;
    start = frames.indexOf(packed.end, start + recordedStart) + 1;
    if (start === 0) return true;
  }
  return true;
}

/** They are all of one length, so that their texts have the order of the numbers. */
function digestText(frames: string, start: number): string {
  return frames.slice(start + packed.lengths, start + recordedStart);
}

function lengthText(part: string): string {
  return String.fromCharCode(packed.zero + part.length);
}

/** `2026-05-26T12:00:00.000`. Keeps the last minute, since most frames are of that of the one before. */
function instantWriter(): (ms: number) => string {
  let lastMinute = Number.NaN;
  let prefix = "";
  return (ms) => {
    const minute = Math.floor(ms / msPerMinute);
    if (minute !== lastMinute) {
      prefix = formatInstant(minute * msPerMinute).slice(0, "YYYY-MM-DDThh:mm:".length);
      lastMinute = minute;
    }
    const rest = String(100_000 + Math.floor(ms) - minute * msPerMinute);
    return `${prefix}${rest.slice(1, 3)}.${rest.slice(3)}`;
  };
}

/** Frames are recorded at one time and received at another. */
const recordedText = instantWriter();
const receivedText = instantWriter();

/** The frame's place among those of its device. It is in the part of fixed length, at the beginning. */
export function packedPlace(text: string): FramePlace {
  const digest = Number.parseInt(text.slice(packed.lengths, recordedStart), base);
  return { recordedAt: instantOf(text.slice(recordedStart, recordedStart + packed.instant)), digest };
}

/** One frame; the other way round. */
export function unpackFrame(text: string): PackableFrame {
  const receivedStart = recordedStart + packed.instant;
  let start = receivedStart + lengthAt(text, 0);
  const received = text.slice(receivedStart, start);
  const date = received.length === packed.instant ? "" : text.slice(recordedStart, recordedStart + packed.date);
  const receivedAt = instantOf(`${date}${received}`);
  let array = "[";
  for (let index = 1; index < reportedFields.length; index++) {
    const end = start + lengthAt(text, index);
    array += end === start ? "null," : `${text.slice(start, end)},`;
    start = end;
  }
  start += lengthAt(text, reportedFields.length);
  const event = text.slice(start, -packed.end.length);
  return { ...unpackReported(`${array}${event || "null"}]`), ...packedPlace(text), receivedAt };
}

/** The verdict that the text speaks of, from that part of it. */
export function verdictOf(part: string): Verdict {
  if (part === "") return accepted;
  return part === carried
    ? acceptedDiscontinuity
    : { valid: false, rejectReason: part as RejectReason, discontinuity: false };
}

function lengthAt(text: string, index: number): number {
  return text.charCodeAt(index) - packed.zero;
}

function instantOf(text: string): number {
  return parseInstant(text) ?? Number.NaN;
}
