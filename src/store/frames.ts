import type { Frame, FramePlace, PositionSource, SensorReport } from "../domain/frame.ts";
import { packFrame, unpackFrame } from "../domain/packed-frame.ts";
import type { Receipts } from "../domain/quality/clock.ts";
import { type RejectReason, timeRejectReasons, type Verdict } from "../domain/verdict.ts";
import type { BulkTable, Reader, Transaction, Row as WrittenRow } from "./database.ts";
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
  /** The receipt that made its time believable, where that was not the first; see `Receipts`. */
  readonly timelyAt?: number | null;
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

/** For the few that have it: the others need not carry an empty column. */
const receivedAgain: BulkTable = {
  name: table.name,
  columns: { ...table.columns, timely_at: "bigint" },
  onConflict: `${table.onConflict}, timely_at = excluded.timely_at`,
};

/** Stores frames with their verdicts; of one that is there already, the verdict and the receipts are brought up to date. */
export async function saveFrames(tx: Transaction, frames: readonly (StoredFrame & DeviceKey)[]): Promise<void> {
  const once: WrittenRow[] = [];
  const again: WrittenRow[] = [];
  for (const stored of frames) {
    const { timelyAt = null } = stored;
    if (timelyAt === null) once.push(frameRow(stored));
    else again.push({ ...frameRow(stored), timely_at: timelyAt });
  }
  await tx.insertMany(table, once);
  if (again.length > 0) await tx.insertMany(receivedAgain, again);
}

function frameRow({ accountId, device, frame, verdict }: StoredFrame & DeviceKey): WrittenRow {
  return {
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
  };
}

/** Removes frames that stand at another place from now on, with their readings. */
export async function removeFrames(tx: Transaction, frames: readonly (FramePlace & DeviceKey)[]): Promise<void> {
  for (const { accountId, device, recordedAt, digest } of frames) {
    const isThis = sql`account_id = ${accountId} and device = ${device} and recorded_at = ${recordedAt} and digest = ${digest}`;
    await tx.run(sql`delete from frames where ${isThis}`);
    await tx.run(sql`delete from readings where ${isThis}`);
  }
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

/**
 * The next frames of a device in its order, from the beginning or after a place, up to the moment of another if one is given.
 * Those of no believable time are left out.
 */
export async function framesAfter(
  reader: Reader,
  { accountId, device }: DeviceKey,
  after: FramePlace | null,
  count: number,
  last: FramePlace | null = null,
): Promise<StoredFrame[]> {
  const start =
    after === null
      ? nothing
      : sql`and recorded_at >= ${after.recordedAt} and (recorded_at, digest) > (${after.recordedAt}, ${after.digest})`;
  const rows = await reader.all<Row>(sql`
    select packed, fix, source, sensors_json, valid, reject_reason, discontinuity
    from frames
    where account_id = ${accountId} and device = ${device} ${start}
      ${last === null ? nothing : sql`and recorded_at <= ${last.recordedAt}`}
      and ${isTimely}
    order by recorded_at, digest ${limitTo(count)}`);
  return rows.map(storedFrame);
}

/** A device's frames between two times, both included, that were from the future whenever they were received. */
export async function framesAhead(
  reader: Reader,
  { accountId, device }: DeviceKey,
  { from, until }: { readonly from: number; readonly until: number },
  count: number,
): Promise<Frame[]> {
  const rows = await reader.all<Row>(sql`
    select packed, fix, source, sensors_json, valid, reject_reason, discontinuity
    from frames
    where account_id = ${accountId} and device = ${device} and recorded_at >= ${from} and recorded_at <= ${until}
      and reject_reason = 'future_time'
    order by recorded_at, digest ${limitTo(count)}`);
  return rows.map((row) => storedFrame(row).frame);
}

/** What is known of the receipts of a stored frame, and whether they let its time be believed. */
export interface StoredReceipts extends FramePlace, Receipts {
  readonly isTimely: boolean;
}

/** Of the frames of these times, those that are stored. */
export async function receiptsAt(
  reader: Reader,
  { accountId, device }: DeviceKey,
  recordedAt: Iterable<number>,
): Promise<StoredReceipts[]> {
  const rows = await allIn<Omit<StoredReceipts, "isTimely"> & { readonly reason: RejectReason | null }>(
    reader,
    recordedAt,
    (list) => sql`
      select recorded_at as "recordedAt", digest, received_at as "firstAt", timely_at as "timelyAt", reject_reason as reason
      from frames where account_id = ${accountId} and device = ${device} and recorded_at in ${list}`,
  );
  return rows.map(({ reason, ...row }) => ({ ...row, isTimely: !isTimeReason(reason) }));
}

function isTimeReason(reason: RejectReason | null): boolean {
  return reason !== null && (timeRejectReasons as readonly RejectReason[]).includes(reason);
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
