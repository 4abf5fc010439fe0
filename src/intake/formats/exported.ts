/** What the tables and tracks that Odograph itself exports say besides the values of the tracker. */
import { usualEarliestMs } from "../../domain/quality/clock.ts";
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
