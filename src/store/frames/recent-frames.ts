import type { FramePlace } from "../../domain/frame.ts";
import { allLines, lineContent, linesIn } from "../blocks/frame-line.ts";
import type { StoredFrame } from "../blocks/stored-frame.ts";
import { bigint, orNull, type RowOf, text } from "../columns.ts";
import type { BulkTable, Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { type Sql, sql } from "../sql.ts";
import { omit, table, upsert } from "../table.ts";

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

export type LineRow = RowOf<typeof recentTable.columns>;

/** A row that is there stays as it is, and is counted with those that are written: see `required-rows.ts`. */
const insertsMissing = {
  ...recentTable,
  onConflict: `on conflict (${recentTable.key.join(", ")}) do update set digest = excluded.digest`,
};

/** Where there is such a row, it is the newer. */
export async function saveMissing(tx: Transaction, rows: readonly LineRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertMany(insertsMissing, rows);
}

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
