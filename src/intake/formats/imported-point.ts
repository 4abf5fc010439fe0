import type { ImportedPoint } from "../incoming-frame.ts";
import { readCanonicalFrame } from "./canonical.ts";
import { numberOf } from "./foreign.ts";
import { problem } from "./problems.ts";

/** What writers of tables and tracks write for an unknown value. */
const unknownWords = ["", "-", "na", "n/a", "nan", "nil", "none", "null", "undefined"];

/** What a file says of times besides when a point was recorded. */
export interface ImportedTimes {
  /** Absent: the point counts as received when it was recorded. */
  readonly receivedText?: string | undefined;
  /** Whether the tracker sent the frame without a time. */
  readonly isTimeless?: boolean;
}

/** A point of a file as a frame. Unlike a frame that is sent, it must have a time. */
export function importedPoint(
  line: number,
  imei: string,
  recordedAt: number | null,
  timeText: string | undefined,
  fields: Readonly<Record<string, unknown>>,
  { receivedText, isTimeless = false }: ImportedTimes = {},
): ImportedPoint {
  const now = receivedText === undefined ? (recordedAt ?? 0) : Date.now();
  const frame = readCanonicalFrame({ ...fields, imei, received_at: receivedText }, now);
  const problems = recordedAt === null ? [problem("time", "an ISO 8601 time or a count since 1970", timeText)] : [];
  if (typeof frame === "string") problems.push(frame);
  if (typeof frame === "string" || recordedAt === null) return { line, reason: problems.join("; ") };
  return { line, frame: { ...frame, recordedAt: isTimeless ? null : recordedAt } };
}

/** The number of a text, null if it means unknown, or the text itself, which the caller then refuses. */
export function numberFrom(text: string | undefined): number | string | null {
  return text === undefined || isUnknown(text) ? null : (numberOf(text) ?? text);
}

/** The same in another unit. */
export function convertedNumber(text: string | undefined, convert: (value: number) => number): number | string | null {
  const value = numberFrom(text);
  return typeof value === "number" ? convert(value) : value;
}

export function isUnknown(text: string): boolean {
  return unknownWords.includes(text.trim().toLowerCase());
}
