import type { FramePlace } from "../../domain/frame.ts";
import { recogniseDigest } from "../blocks/frame-digest.ts";
import { allLines, type FrameLine, lineContent, linesIn } from "../blocks/frame-line.ts";
import { sharedLinesByDevice, sharedLinesOf } from "../blocks/shared-lines.ts";
import type { StoredFrame } from "../blocks/stored-frame.ts";
import { bigint, orNull, type RowOf, text } from "../columns.ts";
import type { BulkTable, Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { listOf, nothing, type Sql, sql } from "../sql.ts";
import { omit, table, upsert } from "../table.ts";
import { type DeviceMoment, momentRows } from "../timed-rows.ts";
import { ofEachDevice } from "../visible.ts";
import { isNear, sharedText, takeShared, withShared } from "./shared-rows.ts";

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

const insertsMissing = { ...recentTable, onConflict: "on conflict do nothing" };

/**
 * All frames that wait with those of these neighbours get rows of their own: before one of them is removed. Where there is such a row,
 * it is the newer.
 */
export async function setApart(
  tx: Transaction,
  accountId: number,
  neighbours: readonly (number | null)[],
): Promise<void> {
  await saveApart(tx, accountId, await takeShared(tx, accountId, groupsOf(neighbours)));
}

/** The same for one device, if any may be as old. */
export async function setDeviceApart(
  tx: Transaction,
  { accountId, device }: DeviceKey,
  until = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const row = await tx.get<{ neighbours: number }>(sql`
    select g.neighbours from shared_frames g where ${isNear(accountId, device)} and g.from_at <= ${until} limit 1`);
  if (row !== null) await setApart(tx, accountId, [row.neighbours]);
}

function groupsOf(neighbours: Iterable<number | null>): ReadonlySet<number> {
  return new Set(Array.from(neighbours).filter((group) => group !== null));
}

async function saveApart(
  tx: Transaction,
  accountId: number,
  shared: ReadonlyMap<number, readonly FrameLine[]>,
): Promise<void> {
  const rows = Array.from(shared, ([device, lines]) =>
    lines.map((line) => apartRow({ accountId, device }, line)),
  ).flat();
  if (rows.length > 0) await tx.insertMany(insertsMissing, rows);
}

function apartRow({ accountId, device }: DeviceKey, line: FrameLine): LineRow {
  const { recordedAt, digest, receivedAt, timelyAt, content } = line;
  return {
    account_id: accountId,
    device,
    recorded_at: recordedAt,
    digest,
    received_at: receivedAt,
    timely_at: timelyAt,
    content,
  };
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

/** All frames of these devices that wait are taken out of their rows. */
export async function takeRecent(
  tx: Transaction,
  accountId: number,
  devices: ReadonlyMap<number, number | null>,
): Promise<Map<number, StoredFrame[]>> {
  const shared = new Map(await takeShared(tx, accountId, groupsOf(devices.values())));
  const rows = await tx.all<{ device: number; lines: string }>(sql`
    select r.device, ${allLines} as lines from recent_frames r
    where r.account_id = ${accountId} and r.device in ${listOf(devices.keys())} group by r.device`);
  if (rows.length > 0) {
    const found = listOf(rows.map(({ device }) => device));
    await tx.run(sql`delete from recent_frames where account_id = ${accountId} and device in ${found}`);
  }
  const own = new Map(rows.map(({ device, lines }) => [device, linesIn(lines)]));
  const taken = new Map<number, StoredFrame[]>();
  for (const device of devices.keys()) {
    taken.set(device, withShared(own.get(device) ?? [], shared.get(device) ?? []).map(takenFrom));
    shared.delete(device);
  }
  await saveApart(tx, accountId, shared);
  return taken;
}

function takenFrom(line: FrameLine): StoredFrame {
  const stored = line.stored();
  recogniseDigest(stored.frame, line.reportedJson);
  return stored;
}

/** Of each device, its frames that wait, from a moment on. */
export function recentFrom(reader: Reader, accountId: number, moments: readonly DeviceMoment[]) {
  return recentOf(
    reader,
    accountId,
    moments,
    sql`r.recorded_at >= wanted.column2`,
    (at, { recordedAt }) => recordedAt >= at,
  );
}

/** The same at moments that differ, of which a device may have several. */
export function recentAt(reader: Reader, accountId: number, moments: readonly DeviceMoment[]) {
  return recentOf(
    reader,
    accountId,
    moments,
    sql`r.recorded_at = wanted.column2`,
    (at, { recordedAt }) => recordedAt === at,
  );
}

interface RecentRows {
  /** Null: they are of neighbours. */
  readonly device: number | null;
  readonly lines: string | null;
}

async function recentOf(
  reader: Reader,
  accountId: number,
  moments: readonly DeviceMoment[],
  isThen: Sql,
  isMeant: (at: number, line: FrameLine) => boolean,
): Promise<Map<number, StoredFrame[]>> {
  const isThere = sql`r.account_id = ${accountId} and r.device = wanted.column1 and ${isThen}`;
  const devices = new Set(moments.map(({ device }) => device));
  const first = Math.min(...moments.map(({ at }) => at));
  // One statement for both tables: frames may be set apart meanwhile.
  const rows = await reader.all<RecentRows>(sql`
    select r.device, ${allLines} as lines from ${momentRows(moments)} wanted
    ${ofEachDevice(reader.engine, lineTables.recent_frames, isThere, nothing)}
    group by r.device
    union all
    select null, string_agg(g.lines, '') from shared_frames g
    where g.account_id = ${accountId} and g.until_at >= ${first} and g.neighbours in (
      select f.neighbours from device_folds f where f.account_id = ${accountId} and f.device in ${listOf(devices)})`);
  const own = new Map<number, FrameLine[]>();
  let shared = "";
  for (const { device, lines } of rows) {
    if (device === null) shared += lines ?? "";
    else own.set(device, [...(own.get(device) ?? []), ...linesIn(lines)]);
  }
  const sharedOf = sharedLinesByDevice(shared);
  const frames = new Map<number, StoredFrame[]>();
  for (const [device, wanted] of Map.groupBy(moments, (moment) => moment.device)) {
    const near = (sharedOf.get(device) ?? []).filter((line) => wanted.some(({ at }) => isMeant(at, line)));
    const found = withShared(own.get(device) ?? [], near);
    if (found.length > 0)
      frames.set(
        device,
        found.map((line) => line.stored()),
      );
  }
  return frames;
}

export async function linesAt(
  reader: Reader,
  name: LineTable,
  { accountId, device }: DeviceKey,
  times: ReadonlySet<number>,
): Promise<readonly FrameLine[]> {
  const isShared = name === "recent_frames";
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const shared = isShared
    ? sharedText(accountId, device, sql`g.from_at <= ${last} and g.until_at >= ${first}`)
    : sql`null`;
  const row = await reader.get<{ lines: string | null; shared: string | null }>(sql`
    select (
      select ${allLines} from ${lineTables[name]} r
      where r.account_id = ${accountId} and r.device = ${device} and r.recorded_at in ${listOf(times)}) as lines,
      ${shared} as shared`);
  const near = sharedLinesOf(device, row?.shared ?? null).filter(({ recordedAt }) => times.has(recordedAt));
  return withShared(linesIn(row?.lines ?? null), near);
}

/** All frames of a device that wait for their block. */
export async function waitingLines(reader: Reader, { accountId, device }: DeviceKey): Promise<readonly FrameLine[]> {
  const shared = sharedText(accountId, device, sql`true`);
  const row = await reader.get<{ lines: string | null; shared: string | null }>(sql`
    select (
      select ${allLines} from recent_frames r where r.account_id = ${accountId} and r.device = ${device}) as lines,
      ${shared} as shared`);
  return withShared(linesIn(row?.lines ?? null), sharedLinesOf(device, row?.shared ?? null));
}
