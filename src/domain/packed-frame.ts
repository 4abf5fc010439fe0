import { packReported, type Reported, reportedFields, unpackReported } from "./reported.ts";
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

const instant = packed.date + packed.time;
const base = 36;

export function packFrame(frame: PackableFrame): string {
  const recorded = digitsOf(frame.recordedAt);
  const received = digitsOf(frame.receivedAt);
  const isSameDate = received.slice(0, packed.date) === recorded.slice(0, packed.date);
  const receipt = isSameDate ? received.slice(packed.date) : received;
  let lengths = lengthText(receipt);
  let values = receipt;
  // Numbers have been turned into text for the digest already. Commas tell them apart, up to the event.
  const array = packReported(frame);
  let start = 1;
  for (let count = 1; count < packed.lengths; count++) {
    const end = array.indexOf(",", start);
    const value = withoutNull(array.slice(start, end));
    lengths += lengthText(value);
    values += value;
    start = end + 1;
  }
  const digest = frame.digest.toString(base).padStart(packed.digest, "0");
  return `${lengths}${digest}${recorded}${values}${withoutNull(array.slice(start, -1))}${packed.end}`;
}

function lengthText(part: string): string {
  return String.fromCharCode(packed.zero + part.length);
}

function withoutNull(json: string): string {
  return json === "null" ? "" : json;
}

/** The frame's place among those of its device. They are in the part of fixed length, at the beginning. */
export function packedPlace(text: string): Pick<PackableFrame, "recordedAt" | "digest"> {
  const [digestAt, recordedAt] = [packed.lengths, packed.lengths + packed.digest];
  return {
    recordedAt: instantOf(text.slice(recordedAt, recordedAt + instant)),
    digest: Number.parseInt(text.slice(digestAt, recordedAt), base),
  };
}

/** One frame; the other way round. */
export function unpackFrame(text: string): PackableFrame {
  let at = packed.lengths + packed.digest;
  const take = (length: number) => {
    at += length;
    return text.slice(at - length, at);
  };
  const lengthAt = (index: number) => text.charCodeAt(index) - packed.zero;
  const recorded = take(instant);
  const received = take(lengthAt(0));
  let array = "[";
  for (let index = 1; index < packed.lengths; index++) array += `${take(lengthAt(index)) || "null"},`;
  array += `${text.slice(at, -packed.end.length) || "null"}]`;
  return {
    ...unpackReported(array),
    ...packedPlace(text),
    receivedAt: instantOf(received.length === instant ? received : recorded.slice(0, packed.date) + received),
  };
}

/** `2026-05-26T12:00:00.000Z` without what is no digit. */
function digitsOf(ms: number): string {
  const text = formatInstant(ms);
  const date = text.slice(0, 4) + text.slice(5, 7) + text.slice(8, 10);
  return date + text.slice(11, 13) + text.slice(14, 16) + text.slice(17, 19) + text.slice(20, 23);
}

function instantOf(digits: string): number {
  const [year, month, day, hour, minute, second, ms] = [4, 6, 8, 10, 12, 14, 17].map((end, index, ends) =>
    digits.slice(ends[index - 1] ?? 0, end),
  );
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
}
