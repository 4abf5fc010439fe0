import type { Frame, FramePlace, PositionSource, SensorReport } from "../domain/frame.ts";
import { formatFrame, parseFrame } from "../domain/frame-text.ts";
import type { ReceivedTimes } from "../domain/quality/clock.ts";
import { isTimeReason, type RejectReason, type Verdict } from "../domain/verdict.ts";
import { bigint, boolean, oneOf, orNull, type RowOf, text } from "./columns.ts";
import type { Reader, Row, Transaction } from "./database.ts";
import { allIn } from "./in-list.ts";
import { limitTo } from "./pages.ts";
import { nothing, sql } from "./sql.ts";
import { listed, omit, pick, table, upsert } from "./table.ts";

/** A device by the numbers that key its rows. */
export interface DeviceKey {
  readonly accountId: number;
  readonly device: number;
}

export interface StoredFrame {
  readonly frame: Frame;
  readonly verdict: Verdict;
  /** The time of receipt that made its time believable, if that was not the first; see `ReceivedTimes`. */
  readonly timelyAt?: number | null;
}

export const frameTable = table("frames", ["account_id", "device", "recorded_at", "digest"], {
  account_id: bigint,
  device: bigint,
  recorded_at: bigint,
  digest: bigint,
  received_at: bigint,
  /** The frame as frame-text.ts writes it. */
  packed: text,
  fix: orNull(boolean),
  source: orNull(oneOf<PositionSource>()),
  sensors_json: orNull(text),
  valid: boolean,
  reject_reason: orNull(oneOf<RejectReason>()),
  discontinuity: boolean,
  timely_at: orNull(bigint),
});

/** For the few frames that have `timely_at`: the others do not need an empty column. */
const insertWithTimelyAt = upsert(frameTable, ["fix", "source", "sensors_json"]);
const insertFrames = upsert({ ...frameTable, columns: omit(frameTable.columns, "timely_at") }, [
  "fix",
  "source",
  "sensors_json",
]);

const content = pick(
  frameTable.columns,
  "packed",
  "fix",
  "source",
  "sensors_json",
  "valid",
  "reject_reason",
  "discontinuity",
);
type ContentRow = RowOf<typeof content>;
const contentColumns = listed(content);

/** Stores frames with their verdicts. A frame that is stored already gets the new verdict and times of receipt. */
export async function saveFrames(tx: Transaction, frames: readonly (StoredFrame & DeviceKey)[]): Promise<void> {
  const plain: Row[] = [];
  const timely: Row[] = [];
  for (const stored of frames) {
    const { timelyAt = null } = stored;
    if (timelyAt === null) plain.push(frameRow(stored));
    else timely.push({ ...frameRow(stored), timely_at: timelyAt });
  }
  await tx.insertMany(insertFrames, plain);
  if (timely.length > 0) await tx.insertMany(insertWithTimelyAt, timely);
}

function frameRow({ accountId, device, frame, verdict }: StoredFrame & DeviceKey): Row {
  return {
    account_id: accountId,
    device,
    recorded_at: frame.recordedAt,
    digest: frame.digest,
    received_at: frame.receivedAt,
    packed: formatFrame(frame, verdict),
    fix: frame.fix,
    source: frame.source,
    sensors_json: frame.sensors.length === 0 ? null : JSON.stringify(frame.sensors),
    valid: verdict.valid,
    reject_reason: verdict.rejectReason,
    discontinuity: verdict.discontinuity,
  };
}

/** Removes a frame whose place in the order has changed, with its readings, and returns what those were. */
export async function removeFrame(
  tx: Transaction,
  { accountId, device, recordedAt, digest }: FramePlace & DeviceKey,
): Promise<{ readonly kind: string; readonly sensor: string }[]> {
  const isThis = sql`account_id = ${accountId} and device = ${device} and recorded_at = ${recordedAt} and digest = ${digest}`;
  await tx.run(sql`delete from frames where ${isThis}`);
  return tx.all(sql`delete from readings where ${isThis} returning kind, sensor`);
}

/** Frames with a `TimeRejectReason`. Written exactly as in the index `frames_untimely`, or the index is not used. */
export const isUntimely = sql`(reject_reason = 'time_invalid' or reject_reason = 'future_time' or reject_reason = 'too_old')`;
export const isTimely = sql`(reject_reason is null or not ${isUntimely})`;

/**
 * The next frames of a device in their order, from the beginning or after a place, up to the moment of another if
 * given. Frames without a believable time are left out.
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
  const rows = await reader.all<ContentRow>(sql`
    select ${contentColumns} from frames
    where account_id = ${accountId} and device = ${device} ${start}
      ${last === null ? nothing : sql`and recorded_at <= ${last.recordedAt}`}
      and ${isTimely}
    order by recorded_at, digest ${limitTo(count)}`);
  return rows.map(storedFrame);
}

/** A device's frames between two times, both included, that were from the future at every receipt. */
export async function framesAhead(
  reader: Reader,
  { accountId, device }: DeviceKey,
  { from, until }: { readonly from: number; readonly until: number },
  count: number,
): Promise<Frame[]> {
  const rows = await reader.all<ContentRow>(sql`
    select ${contentColumns} from frames
    where account_id = ${accountId} and device = ${device} and recorded_at >= ${from} and recorded_at <= ${until}
      and reject_reason = 'future_time'
    order by recorded_at, digest ${limitTo(count)}`);
  return rows.map((row) => storedFrame(row).frame);
}

/** All frames of a device that are stored under these times. */
export async function framesAt(
  reader: Reader,
  { accountId, device }: DeviceKey,
  recordedAt: Iterable<number>,
): Promise<StoredFrame[]> {
  const rows = await allIn<ContentRow>(
    reader,
    recordedAt,
    (list) => sql`
      select ${contentColumns} from frames
      where account_id = ${accountId} and device = ${device} and recorded_at in ${list}`,
  );
  return rows.map(storedFrame);
}

/** When a stored frame was received, and whether that makes its time believable. */
export interface StoredTimes extends FramePlace, ReceivedTimes {
  readonly isTimely: boolean;
}

/** Of the frames of these times, those that are stored. */
export async function storedTimesAt(
  reader: Reader,
  { accountId, device }: DeviceKey,
  recordedAt: Iterable<number>,
): Promise<StoredTimes[]> {
  const rows = await allIn<Omit<StoredTimes, "isTimely"> & { readonly reason: RejectReason | null }>(
    reader,
    recordedAt,
    (list) => sql`
      select recorded_at as "recordedAt", digest, received_at as "firstAt", timely_at as "timelyAt", reject_reason as reason
      from frames where account_id = ${accountId} and device = ${device} and recorded_at in ${list}`,
  );
  return rows.map(({ reason, ...row }) => ({ ...row, isTimely: !isTimeReason(reason) }));
}

function storedFrame(row: ContentRow): StoredFrame {
  const sensors = row.sensors_json === null ? [] : (JSON.parse(row.sensors_json) as SensorReport[]);
  return {
    frame: {
      ...parseFrame(row.packed),
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
