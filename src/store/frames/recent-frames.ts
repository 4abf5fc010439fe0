import type { FramePlace } from "../../domain/frame.ts";
import { recogniseDigest } from "../blocks/frame-digest.ts";
import { allLines, type FrameLine, lineContent, linesIn } from "../blocks/frame-line.ts";
import type { StoredFrame } from "../blocks/stored-frame.ts";
import { bigint, orNull, type RowOf, text } from "../columns.ts";
import type { BulkTable, Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { listOf, nothing, type Sql, sql } from "../sql.ts";
import { omit, table, upsert } from "../table.ts";
import { type DeviceMoment, momentRows } from "../timed-rows.ts";
import { ofEachDevice } from "../visible.ts";

/** Frames in rows of their own: the newest of each device, and those whose time is not believed. */
const recentTable = table("recent_frames", ["account_id", "device", "recorded_at", "digest"], {
  account_id: bigint,
  device: bigint,
  recorded_at: bigint,
  digest: bigint,
  received_at: bigint,
  timely_at: orNull(bigint),
  content: text,
});

export type LineTable = "recent_frames" | "untimely_frames";
export const lineTables: Readonly<Record<LineTable, Sql>> = {
  recent_frames: sql`recent_frames`,
  untimely_frames: sql`untimely_frames`,
};

/** Of a frame in a row. In other texts a quotation mark is written with a backslash. */
export const hasSensors = sql`content like '%"kind":"%'`;

/** The frames in rows `r` of which a condition holds, in order. */
export async function storedLines(reader: Reader, name: LineTable, condition: Sql): Promise<StoredFrame[]> {
  const row = await reader.get<{ lines: string | null }>(
    sql`select ${allLines} as lines from ${lineTables[name]} r where ${condition}`,
  );
  return storedIn(row?.lines ?? null);
}

function storedIn(lines: string | null): StoredFrame[] {
  return linesIn(lines).map((line) => line.stored());
}

function insertsInto(name: LineTable): { readonly timely: BulkTable; readonly plain: BulkTable } {
  const plain = { ...recentTable, name, columns: omit(recentTable.columns, "timely_at") };
  return { timely: upsert({ ...recentTable, name }), plain: upsert(plain) };
}

const inserts = { recent_frames: insertsInto("recent_frames"), untimely_frames: insertsInto("untimely_frames") };

/** A frame that is there already gets the new verdict and times of receipt; `timely_at` only if it is known. */
export async function saveLines(tx: Transaction, name: LineTable, rows: readonly LineRow[]): Promise<void> {
  const timely: LineRow[] = [];
  const plain: LineRow[] = [];
  for (const row of rows) (row.timely_at === null ? plain : timely).push(row);
  if (plain.length > 0) await tx.insertMany(inserts[name].plain, plain);
  if (timely.length > 0) await tx.insertMany(inserts[name].timely, timely);
}

type LineRow = RowOf<typeof recentTable.columns>;

export function lineRow({ accountId, device }: DeviceKey, stored: StoredFrame): LineRow {
  const { frame, timelyAt = null } = stored;
  const { recordedAt, digest, receivedAt } = frame;
  return {
    account_id: accountId,
    device,
    recorded_at: recordedAt,
    digest,
    received_at: receivedAt,
    timely_at: timelyAt,
    content: lineContent(stored),
  };
}

export async function removeLine(
  tx: Transaction,
  name: LineTable,
  { accountId, device }: DeviceKey,
  { recordedAt, digest }: FramePlace,
): Promise<void> {
  await tx.run(sql`delete from ${lineTables[name]}
    where account_id = ${accountId} and device = ${device} and recorded_at = ${recordedAt} and digest = ${digest}`);
}

export async function takeRecent(
  tx: Transaction,
  accountId: number,
  devices: Iterable<number>,
): Promise<Map<number, StoredFrame[]>> {
  const rows = await tx.all<{ device: number; lines: string }>(sql`
    select r.device, ${allLines} as lines from recent_frames r
    where r.account_id = ${accountId} and r.device in ${listOf(devices)} group by r.device`);
  await tx.run(
    sql`delete from recent_frames where account_id = ${accountId} and device in ${listOf(rows.map(({ device }) => device))}`,
  );
  return new Map(rows.map(({ device, lines }) => [device, linesIn(lines).map(takenFrom)]));
}

function takenFrom(line: FrameLine): StoredFrame {
  const stored = line.stored();
  recogniseDigest(stored.frame, line.reportedJson);
  return stored;
}

/** Of each device, its frames in rows from a moment on. */
export function recentFrom(reader: Reader, accountId: number, moments: readonly DeviceMoment[]) {
  return recentOf(reader, accountId, moments, sql`r.recorded_at >= wanted.column2`);
}

/** The same at moments that differ, of which a device may have several. */
export function recentAt(reader: Reader, accountId: number, moments: readonly DeviceMoment[]) {
  return recentOf(reader, accountId, moments, sql`r.recorded_at = wanted.column2`);
}

async function recentOf(
  reader: Reader,
  accountId: number,
  moments: readonly DeviceMoment[],
  isThen: Sql,
): Promise<Map<number, StoredFrame[]>> {
  const frames = new Map<number, StoredFrame[]>();
  const isThere = sql`r.account_id = ${accountId} and r.device = wanted.column1 and ${isThen}`;
  const rows = await reader.all<{ device: number; lines: string }>(sql`
    select r.device, ${allLines} as lines from ${momentRows(moments)} wanted
    ${ofEachDevice(reader.engine, lineTables.recent_frames, isThere, nothing)}
    group by r.device`);
  for (const { device, lines } of rows) frames.set(device, [...(frames.get(device) ?? []), ...storedIn(lines)]);
  return frames;
}

export async function linesAt(
  reader: Reader,
  name: LineTable,
  { accountId, device }: DeviceKey,
  times: Iterable<number>,
): Promise<FrameLine[]> {
  const rows = await reader.all<{ lines: string | null }>(sql`
    select ${allLines} as lines from ${lineTables[name]} r
    where r.account_id = ${accountId} and r.device = ${device} and r.recorded_at in ${listOf(times)}`);
  return rows.flatMap(({ lines }) => linesIn(lines));
}
