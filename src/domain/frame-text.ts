import type { FramePlace } from "./frame.ts";
import { parseReported, type Reported, reportedFields } from "./reported.ts";
import { formatInstant, parseInstant } from "./time.ts";
import { accepted, acceptedDiscontinuity, type RejectReason, type Verdict } from "./verdict.ts";

/** The parts of a frame that are shown and never change: when it was recorded and received, and what was reported. */
export interface ReceivedFrame extends Reported, FramePlace {
  readonly receivedAt: number;
}

/** How the text marks a discontinuity. */
const discontinuityMark = "discontinuity";

/**
 * A frame as it is stored: one text, made so that a page of them becomes JSON by copying alone.
 *
 *     <::55532349250 1e370vajpj5 2026-05-26T12:00:00.000 12:00:01.347 52.5295691 13.4085454 34.28 … "sos" ⏎
 *
 * There are no blanks in it; the parts are
 * - one character for the length of each part of variable length, except the last: `0` is none, `1` is one, `:` is ten,
 * - the digest in base 36,
 * - the time it was recorded, without the `Z`,
 * - the time it was received, without the date if that is the same,
 * - the reported values in their order, without the event, each as JSON, nothing for null,
 * - the verdict, unless it is the ordinary one: `discontinuity`, or the reason why the frame was rejected. Only this
 *   part may change; the store also has columns for it, to find frames by,
 * - the event as JSON, if there is one,
 * - and a line feed, which no JSON holds: it ends the event, the one value of any length.
 */
export const frameLayout = {
  /** One each for the time of receipt, the values without the event, and the verdict. */
  lengths: reportedFields.length + 1,
  /** The character for a length of 0. */
  zero: "0".charCodeAt(0),
  digest: 11,
  date: "YYYY-MM-DDT".length,
  instant: "YYYY-MM-DDThh:mm:ss.mmm".length,
  end: "\n",
} as const;

const recordedStart = frameLayout.lengths + frameLayout.digest;
const base = 36;
const msPerMinute = 60_000;
/** All but the event: each is short, and none is a text. */
const shortFields = reportedFields.slice(0, -1) as readonly Exclude<(typeof reportedFields)[number], "event">[];

export function formatFrame(frame: ReceivedFrame, verdict: Verdict): string {
  const recorded = recordedText(frame.recordedAt);
  const received = receivedText(frame.receivedAt);
  const isSameDate = received.startsWith(recorded.slice(0, frameLayout.date));
  let values = isSameDate ? received.slice(frameLayout.date) : received;
  let lengths = lengthText(values);
  for (const field of shortFields) {
    const value = frame[field];
    const text = value === null ? "" : String(value);
    lengths += lengthText(text);
    values += text;
  }
  const decided = verdict.rejectReason ?? (verdict.discontinuity ? discontinuityMark : "");
  lengths += lengthText(decided);
  const digest = frame.digest.toString(base).padStart(frameLayout.digest, "0");
  const event = frame.event === null ? "" : JSON.stringify(frame.event);
  return `${lengths}${digest}${recorded}${values}${decided}${event}${frameLayout.end}`;
}

/** Whether concatenated frames are in their order: by the time they were recorded, then by the digest. */
export function areInOrder(frames: string): boolean {
  let last = 0;
  let lastRecorded = "";
  for (let start = 0; start < frames.length; ) {
    const recorded = frames.slice(start + recordedStart, start + recordedStart + frameLayout.instant);
    if (recorded < lastRecorded) return false;
    if (recorded === lastRecorded && digestText(frames, start) < digestText(frames, last)) return false;
    last = start;
    lastRecorded = recorded;
    start = frames.indexOf(frameLayout.end, start + recordedStart) + 1;
    if (start === 0) return true;
  }
  return true;
}

/** All have the same length, so their texts sort like the numbers. */
function digestText(frames: string, start: number): string {
  return frames.slice(start + frameLayout.lengths, start + recordedStart);
}

function lengthText(part: string): string {
  return String.fromCharCode(frameLayout.zero + part.length);
}

/** `2026-05-26T12:00:00.000`. Remembers the last minute, since most frames share it with the one before. */
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

/** The frame's place in the order of its device, from the part of fixed length at the beginning. */
export function parsePlace(text: string): FramePlace {
  const digest = Number.parseInt(text.slice(frameLayout.lengths, recordedStart), base);
  return { recordedAt: instantOf(text.slice(recordedStart, recordedStart + frameLayout.instant)), digest };
}

/** The frame that a text was made from. */
export function parseFrame(text: string): ReceivedFrame {
  const receivedStart = recordedStart + frameLayout.instant;
  let start = receivedStart + lengthAt(text, 0);
  const received = text.slice(receivedStart, start);
  const date =
    received.length === frameLayout.instant ? "" : text.slice(recordedStart, recordedStart + frameLayout.date);
  const receivedAt = instantOf(`${date}${received}`);
  let array = "[";
  for (let index = 1; index < reportedFields.length; index++) {
    const end = start + lengthAt(text, index);
    array += end === start ? "null," : `${text.slice(start, end)},`;
    start = end;
  }
  start += lengthAt(text, reportedFields.length);
  const event = text.slice(start, -frameLayout.end.length);
  return { ...parseReported(`${array}${event || "null"}]`), ...parsePlace(text), receivedAt };
}

/** The verdict, from its part of the text. */
export function verdictOf(part: string): Verdict {
  if (part === "") return accepted;
  return part === discontinuityMark
    ? acceptedDiscontinuity
    : { valid: false, rejectReason: part as RejectReason, discontinuity: false };
}

function lengthAt(text: string, index: number): number {
  return text.charCodeAt(index) - frameLayout.zero;
}

function instantOf(text: string): number {
  return parseInstant(text) ?? Number.NaN;
}
