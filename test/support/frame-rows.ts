import { formatFrame, frameLayout, parseFrame, type ReceivedFrame, verdictOf } from "../../src/domain/frame-text.ts";
import { formatReported, type Reported, reportedFields } from "../../src/domain/reported.ts";
import type { Verdict } from "../../src/domain/verdict.ts";

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
}

/** The text that the store keeps of it. */
export function packedText(row: Omit<FrameRow, "device_id" | "imei">): string {
  const { recorded_at: recordedAt, received_at: receivedAt, digest } = row;
  return formatFrame({ ...reportOf(row), recordedAt, receivedAt, digest }, verdictOfRow(row));
}

function verdictOfRow(row: Pick<FrameRow, "valid" | "reject_reason" | "discontinuity">): Verdict {
  return {
    valid: Boolean(row.valid),
    rejectReason: row.reject_reason as Verdict["rejectReason"],
    discontinuity: Boolean(row.discontinuity),
  };
}

export function reportOf({ fields_json }: Pick<PositionRow, "fields_json">): Reported {
  const values = JSON.parse(fields_json) as unknown[];
  return Object.fromEntries(reportedFields.map((name, index) => [name, values[index]])) as unknown as Reported;
}

/** The columns of a frame that has been unpacked. */
export function unpackedColumns(frame: ReceivedFrame) {
  const { recordedAt: recorded_at, receivedAt: received_at, digest } = frame;
  return { recorded_at, received_at, digest, fields_json: formatReported(frame) };
}

/** What a frame's text says of its verdict, as columns. */
export function verdictColumns(text: string) {
  const start = frameLayout.lengths + frameLayout.digest + frameLayout.instant;
  const lengths = Array.from(text.slice(0, frameLayout.lengths), (letter) => letter.charCodeAt(0) - frameLayout.zero);
  const before = lengths.slice(0, -1).reduce((sum, length) => sum + length, start);
  const verdict = verdictOf(text.slice(before, before + (lengths.at(-1) ?? 0)));
  return { valid: verdict.valid, reject_reason: verdict.rejectReason, discontinuity: verdict.discontinuity };
}

/** The frames of a page one by one. */
export function rowsOf(texts: string, device: { readonly id: string; readonly imei: string }): FrameRow[] {
  const place = { device_id: device.id, imei: device.imei };
  return texts
    .split(frameLayout.end)
    .slice(0, -1)
    .map((line) => `${line}${frameLayout.end}`)
    .map((text) => ({ ...place, ...unpackedColumns(parseFrame(text)), ...verdictColumns(text) }));
}
