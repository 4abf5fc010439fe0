import { type PackableFrame, packed, packFrame, unpackFrame } from "../../src/domain/packed-frame.ts";
import { packReported, type Reported, reportedFields } from "../../src/domain/reported.ts";
import type { FramePage, FrameVerdict } from "../../src/store/positions.ts";

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
export interface FrameRow extends PositionRow, FrameVerdict {
  readonly digest: number;
}

/** The text that the store keeps of it. */
export function packedText(row: Omit<FrameRow, "device_id" | "imei" | keyof FrameVerdict>): string {
  const { recorded_at: recordedAt, received_at: receivedAt, digest } = row;
  return packFrame({ ...reportOf(row), recordedAt, receivedAt, digest });
}

export function reportOf({ fields_json }: Pick<PositionRow, "fields_json">): Reported {
  const values = JSON.parse(fields_json) as unknown[];
  return Object.fromEntries(reportedFields.map((name, index) => [name, values[index]])) as unknown as Reported;
}

/** The columns of a frame that has been unpacked. */
export function unpackedColumns(frame: PackableFrame) {
  const { recordedAt: recorded_at, receivedAt: received_at, digest } = frame;
  return { recorded_at, received_at, digest, fields_json: packReported(frame) };
}

/** The frames of a page one by one. */
export function rowsOf({ texts, verdicts }: FramePage, device: { readonly id: string; readonly imei: string }) {
  const plain = { valid: true, reject_reason: null, discontinuity: false };
  return texts
    .split(packed.end)
    .slice(0, -1)
    .map((text, index): FrameRow => {
      const { valid, reject_reason, discontinuity } = verdicts?.[index] ?? plain;
      const place = { device_id: device.id, imei: device.imei };
      return { ...place, ...unpackedColumns(unpackFrame(`${text}${packed.end}`)), valid, reject_reason, discontinuity };
    });
}
