/** What the tables and tracks that Odograph itself exports say besides the values of the tracker. */
import { usualEarliestMs } from "../../domain/quality/clock.ts";
import type { ImportedPoint } from "../incoming-frame.ts";
import type { ImportedTimes } from "./imported-point.ts";

/** As `GET /positions/history` names them. Other programs write no table with all of these. */
const ownColumns = ["device_id", "imei", "recorded_at", "received_at", "latitude", "longitude", "reject_reason"];

export function isOwnHeader(header: readonly string[]): boolean {
  return ownColumns.every((name) => header.includes(name));
}

/**
 * Verdicts are not imported: the frames are judged again. But two reasons stand for what a tracker said that is shown nowhere
 * else: that it had no fix, and that the position came from a radio network.
 */
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

/** Notes on a point of our own export under which time, and with which verdict, the frame was stored. */
export function asExported(
  point: ImportedPoint,
  recordedAt: number | null,
  rejectReason: string | undefined,
): ImportedPoint {
  return "reason" in point || recordedAt === null ? point : { ...point, exported: { recordedAt, rejectReason } };
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
