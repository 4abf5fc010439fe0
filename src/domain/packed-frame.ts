import { type Reported, reportedFields, unpackReported } from "./reported.ts";
import { formatInstant } from "./time.ts";

/** What of a frame never changes and is shown: when it was recorded and received, and what the tracker reported. */
export interface PackableFrame extends Reported {
  readonly recordedAt: number;
  readonly receivedAt: number;
  /** 53 bits of a hash of the content. */
  readonly digest: number;
}

/**
 * A frame as the store keeps it: one text, made so that a page of them becomes JSON by copying alone.
 *
 *     9::5553234925 1e370vajpj5 20260526120000000 120001347 52.5295691 13.4085454 34.28 … "sos" ⏎
 *
 * There are no blanks in it; the parts are
 * - a character for the length of each part whose length is not fixed, but for the last: `0` is none, `1` is one, `:` ten,
 * - the digest, to the base of 36,
 * - the time it was recorded, as `YYYYMMDDhhmmssmmm`,
 * - the time it was received, without the date where that is the same,
 * - the reported values in their order, each as JSON, and nothing for null,
 * - and a line feed, which no JSON holds: it ends the event, the one value of any length.
 */
export const packed = {
  /** The receipt and all values but the event have a length. */
  lengths: reportedFields.length,
  /** What stands for a length of 0. */
  zero: "0".charCodeAt(0),
  digest: 11,
  date: "YYYYMMDD".length,
  time: "hhmmssmmm".length,
  end: "\n",
} as const;

const instantLength = packed.date + packed.time;
const recordedStart = packed.lengths + packed.digest;
const base = 36;
const msPerMinute = 60_000;
/** All but the event. */
const numberFields = reportedFields.slice(0, -1) as readonly Exclude<(typeof reportedFields)[number], "event">[];

export function packFrame(frame: PackableFrame): string {
  const recorded = recordedDigits(frame.recordedAt);
  const received = receivedDigits(frame.receivedAt);
  const isSameDate = received.startsWith(recorded.slice(0, packed.date));
  const receipt = isSameDate ? received.slice(packed.date) : received;
  let lengths = lengthText(receipt);
  let values = receipt;
  for (const field of numberFields) {
    const value = frame[field];
    const text = value === null ? "" : String(value);
    lengths += lengthText(text);
    values += text;
  }
  const digest = frame.digest.toString(base).padStart(packed.digest, "0");
  const event = frame.event === null ? "" : JSON.stringify(frame.event);
  return `${lengths}${digest}${recorded}${values}${event}${packed.end}`;
}

function lengthText(part: string): string {
  return String.fromCharCode(packed.zero + part.length);
}

/** The frame's place among those of its device. It is in the part of fixed length, at the beginning. */
export function packedPlace(text: string): Pick<PackableFrame, "recordedAt" | "digest"> {
  const digest = Number.parseInt(text.slice(packed.lengths, recordedStart), base);
  return { recordedAt: instantOf(text, recordedStart, recordedStart + packed.date), digest };
}

/** One frame; the other way round. */
export function unpackFrame(text: string): PackableFrame {
  const receiptStart = recordedStart + instantLength;
  let start = receiptStart + lengthAt(text, 0);
  const hasDate = start - receiptStart === instantLength;
  const receivedAt = instantOf(text, hasDate ? receiptStart : recordedStart, start - packed.time);
  let array = "[";
  for (let index = 1; index < packed.lengths; index++) {
    const end = start + lengthAt(text, index);
    array += end === start ? "null," : `${text.slice(start, end)},`;
    start = end;
  }
  const event = text.slice(start, -packed.end.length);
  return { ...unpackReported(`${array}${event || "null"}]`), ...packedPlace(text), receivedAt };
}

function lengthAt(text: string, index: number): number {
  return text.charCodeAt(index) - packed.zero;
}

/** `2026-05-26T12:00:00.000Z` without what is no digit. Keeps the last minute, since most frames are of that of the one before. */
function digitsWriter(): (ms: number) => string {
  let lastMinute = Number.NaN;
  let lastDigits = "";
  return (ms) => {
    const minute = Math.floor(ms / msPerMinute);
    if (minute !== lastMinute) {
      lastDigits = formatInstant(minute * msPerMinute)
        .replace(/\D/g, "")
        .slice(0, "YYYYMMDDhhmm".length);
      lastMinute = minute;
    }
    return lastDigits + String(100_000 + Math.floor(ms) - minute * msPerMinute).slice(1);
  };
}

/** Frames are recorded at one time and received at another. */
const recordedDigits = digitsWriter();
const receivedDigits = digitsWriter();

function instantOf(text: string, date: number, time: number): number {
  const day = `${text.slice(date, date + 4)}-${text.slice(date + 4, date + 6)}-${text.slice(date + 6, date + 8)}`;
  const minute = `${text.slice(time, time + 2)}:${text.slice(time + 2, time + 4)}`;
  return Date.parse(`${day}T${minute}Z`) + Number(text.slice(time + 4, time + packed.time));
}
