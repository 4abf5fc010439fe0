import type { Frame, FramePlace, PositionSource, SensorReport } from "../domain/frame.ts";
import { packFrame, unpackFrame } from "../domain/packed-frame.ts";
import type { RejectReason, Verdict } from "../domain/verdict.ts";
import type { BulkTable, Reader, Transaction } from "./database.ts";
import { allIn } from "./in-list.ts";
import { limitTo } from "./pages.ts";
import { nothing, sql } from "./sql.ts";

/** A device by the numbers that key its rows. */
export interface DeviceKey {
  readonly accountId: number;
  readonly device: number;
}

export interface StoredFrame {
  readonly frame: Frame;
  readonly verdict: Verdict;
}

const table: BulkTable = {
  name: "frames",
  columns: {
    account_id: "bigint",
    device: "bigint",
    recorded_at: "bigint",
    digest: "bigint",
    received_at: "bigint",
    packed: "text",
    fix: "boolean",
    source: "text",
    sensors_json: "text",
    valid: "boolean",
    reject_reason: "text",
    discontinuity: "boolean",
  },
  onConflict: `on conflict (account_id, device, recorded_at, digest) do update set received_at = excluded.received_at,
    packed = excluded.packed, valid = excluded.valid, reject_reason = excluded.reject_reason, discontinuity = excluded.discontinuity`,
};

/** Stores frames with their verdicts; of one that is there already, the verdict and the receipt are brought up to date. */
export async function saveFrames(tx: Transaction, frames: readonly (StoredFrame & DeviceKey)[]): Promise<void> {
  await tx.insertMany(
    table,
    frames.map(({ accountId, device, frame, verdict }) => ({
      account_id: accountId,
      device,
      recorded_at: frame.recordedAt,
      digest: frame.digest,
      received_at: frame.receivedAt,
      packed: packFrame(frame, verdict),
      fix: frame.fix,
      source: frame.source,
      sensors_json: frame.sensors.length === 0 ? null : JSON.stringify(frame.sensors),
      valid: verdict.valid,
      reject_reason: verdict.rejectReason,
      discontinuity: verdict.discontinuity,
    })),
  );
}

interface Row {
  readonly packed: string;
  readonly fix: number | boolean | null;
  readonly source: PositionSource | null;
  readonly sensors_json: string | null;
  readonly valid: number | boolean;
  readonly reject_reason: RejectReason | null;
  readonly discontinuity: number | boolean;
}

/** Frames of a `TimeRejectReason`. Written out as in the index `frames_untimely`: any other way it would not be found. */
export const isUntimely = sql`(reject_reason = 'time_invalid' or reject_reason = 'future_time' or reject_reason = 'too_old')`;
export const isTimely = sql`(reject_reason is null or not ${isUntimely})`;

/** The next frames of a device in its order, from the beginning or after a place. Those of no believable time are left out. */
export async function framesAfter(
  reader: Reader,
  { accountId, device }: DeviceKey,
  after: FramePlace | null,
  count: number,
): Promise<StoredFrame[]> {
  const start =
    after === null
      ? nothing
      : sql`and recorded_at >= ${after.recordedAt} and (recorded_at, digest) > (${after.recordedAt}, ${after.digest})`;
  const rows = await reader.all<Row>(sql`
    select packed, fix, source, sensors_json, valid, reject_reason, discontinuity
    from frames
    where account_id = ${accountId} and device = ${device} ${start}
      and ${isTimely}
    order by recorded_at, digest ${limitTo(count)}`);
  return rows.map(storedFrame);
}

/** When each of the frames of these times was received, of those that are stored. */
export async function receiptsAt(
  reader: Reader,
  { accountId, device }: DeviceKey,
  recordedAt: Iterable<number>,
): Promise<(FramePlace & { readonly receivedAt: number })[]> {
  return allIn(
    reader,
    recordedAt,
    (list) => sql`
      select recorded_at as "recordedAt", digest, received_at as "receivedAt" from frames
      where account_id = ${accountId} and device = ${device} and recorded_at in ${list}`,
  );
}

function storedFrame(row: Row): StoredFrame {
  const sensors = row.sensors_json === null ? [] : (JSON.parse(row.sensors_json) as SensorReport[]);
  return {
    frame: {
      ...unpackFrame(row.packed),
      fix: row.fix === null ? null : Boolean(row.fix),
      source: row.source,
      sensors,
    },
    verdict: {
      valid: Boolean(row.valid),
      rejectReason: row.reject_reason,
      discontinuity: Boolean(row.discontinuity),
    },
  };
}
