import type { ImportedPoint } from "../incoming-frame.ts";
import { readCanonicalFrame } from "./canonical.ts";
import { numberOf } from "./foreign.ts";
import { problem } from "./problems.ts";

/** What writers of tables and tracks write for an unknown value. */
const unknownWords = ["", "-", "na", "n/a", "nan", "nil", "none", "null", "undefined"];

/** A point of a file as a frame that was received when it was recorded. Unlike a frame that is sent, it must have a time. */
export function importedPoint(
  line: number,
  imei: string,
  recordedAt: number | null,
  timeText: string | undefined,
  fields: Readonly<Record<string, unknown>>,
): ImportedPoint {
  const frame = readCanonicalFrame({ ...fields, imei }, recordedAt ?? 0);
  const problems = recordedAt === null ? [problem("time", "an ISO 8601 time or a count since 1970", timeText)] : [];
  if (typeof frame === "string") problems.push(frame);
  if (typeof frame === "string" || recordedAt === null) return { line, reason: problems.join("; ") };
  return { line, frame: { ...frame, recordedAt } };
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
