import { historyFrames } from "../../src/api/lists/history-frames.ts";
import { formatReported, type Reported, reportedFields } from "../../src/domain/reported.ts";
import type { Verdict } from "../../src/domain/verdict.ts";
import type { Visibility } from "../../src/domain/visibility.ts";
import type { StoredFrame } from "../../src/store/blocks/stored-frame.ts";
import type { Reader } from "../../src/store/database.ts";
import type { HistoryPage } from "../../src/store/frames/positions.ts";

/** What a frame and a live position have in common. */
export interface PositionRow {
  readonly device_id: string;
  readonly imei: string;
  readonly recorded_at: number;
  readonly received_at: number;
  readonly fields_json: string;
  readonly discontinuity: number | boolean;
}

/** A stored frame, taken apart. */
export interface FrameRow extends PositionRow {
  readonly digest: number;
  readonly valid: number | boolean;
  readonly reject_reason: string | null;
  /** Absent if none was sent, as in a frame. */
  readonly driver_id?: string;
}

/** What the store has of such a row. */
export function storedFrameOf(row: Omit<FrameRow, "device_id" | "imei">): StoredFrame {
  const report = reportOf(row);
  const verdict = {
    valid: Boolean(row.valid),
    rejectReason: row.reject_reason as Verdict["rejectReason"],
    discontinuity: Boolean(row.discontinuity),
  };
  const { recorded_at: recordedAt, received_at: receivedAt, digest } = row;
  const rest = { fix: report.latitude !== null, source: "gps", sensors: [] } as const;
  return { frame: { ...report, ...rest, recordedAt, receivedAt, digest, driver_id: row.driver_id }, verdict };
}

export function reportOf({ fields_json }: Pick<PositionRow, "fields_json">): Reported {
  const values = JSON.parse(fields_json) as unknown[];
  return Object.fromEntries(reportedFields.map((name, index) => [name, values[index]])) as unknown as Reported;
}

/** The columns of a stored frame. */
export function columnsOf({ frame, verdict }: StoredFrame): Omit<FrameRow, "device_id" | "imei"> {
  return {
    recorded_at: frame.recordedAt,
    received_at: frame.receivedAt,
    digest: frame.digest,
    fields_json: formatReported(frame),
    valid: verdict.valid,
    reject_reason: verdict.rejectReason,
    discontinuity: verdict.discontinuity,
    ...(frame.driver_id === undefined ? {} : { driver_id: frame.driver_id }),
  };
}

/** The frames of a page of a device's history. */
export async function historyRows(reader: Reader, visibility: Visibility, page: HistoryPage): Promise<FrameRow[]> {
  const { id: device_id, imei } = page.device;
  const frames = await historyFrames(reader, visibility, page);
  return frames.map((found) => ({ device_id, imei, ...columnsOf(found.stored()) }));
}
