import { usualEarliestMs } from "../../domain/quality/clock.ts";
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

// What the tables and tracks that Odograph itself exports say besides the values of the tracker.

/** As `GET /positions/history` names them. Other programs write no table with all of these. */
const ownColumns = ["device_id", "imei", "recorded_at", "received_at", "latitude", "longitude", "reject_reason"];

export function isOwnHeader(header: readonly string[]): boolean {
  return ownColumns.every((name) => header.includes(name));
}

/** Frames are judged again. Two reasons stand for what a tracker said: no fix, and a place by radio network. */
export function saidByReason(rejectReason: string | undefined): Readonly<Record<string, unknown>> {
  if (rejectReason === "no_fix") return { fix: false };
  return rejectReason === "approximate" ? { source: "cell" } : {};
}

/** A frame whose tracker sent no time is shown with its time of receipt; it had none, and gets none. */
export function exportedTimes(
  recordedAt: number | null,
  receivedText: string | undefined,
  rejectReason: string | undefined,
): ImportedTimes {
  const isTimeless = rejectReason === "time_invalid" && recordedAt !== null && recordedAt >= usualEarliestMs;
  return { receivedText, isTimeless };
}

/**
 * Notes on a point of our own export under which time, and with which verdict, the frame was stored, and whether the file says
 * that of drivers.
 */
export function asExported(
  point: ImportedPoint,
  recordedAt: number | null,
  rejectReason: string | undefined,
  hasDrivers: boolean,
): ImportedPoint {
  if ("reason" in point || recordedAt === null) return point;
  return { ...point, exported: { recordedAt, rejectReason, hasDrivers } };
}

/** Reasons that say something of the frame itself, so they tell apart two frames with the same values. */
const reasonsOfContent = ["no_fix", "approximate", "time_invalid"];
/** Another receipt of the same frame may take these away, and show what they hid. */
const reasonsOfReceipt = ["future_time", "too_old"];

/** Whether a frame may be rejected for one reason in an export, and for the other in the store. */
export function mayBeSameReason(one: string | undefined, other: string | undefined): boolean {
  const [first = "", second = ""] = [one, other];
  if (first === second || reasonsOfReceipt.includes(first) || reasonsOfReceipt.includes(second)) return true;
  return !reasonsOfContent.includes(first) && !reasonsOfContent.includes(second);
}
