import { recogniseDigest } from "../blocks/frame-digest.ts";
import { allLines, type FrameLine, linesIn } from "../blocks/frame-line.ts";
import { sharedLinesByDevice, sharedLinesOf } from "../blocks/shared-lines.ts";
import type { StoredFrame } from "../blocks/stored-frame.ts";
import type { Reader, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { listOf, nothing, type Sql, sql } from "../sql.ts";
import { type DeviceMoment, maxMoments, momentRows } from "../timed-rows.ts";
import { ofEachDevice } from "../visible.ts";
import { type LineRow, type LineTable, lineTables, saveMissing } from "./recent-frames.ts";
import { isNear, sharedText, takeShared, withShared } from "./shared-rows.ts";

/** Frames that wait for their block, whether in rows of their own or with those of neighbours. */

/** All frames that wait with those of these neighbours get rows of their own, before one of them is removed. */
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
  await saveMissing(tx, rows);
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
  const own = new Map<number, FrameLine[]>();
  let shared = "";
  for (let start = 0; start < moments.length; start += maxMoments) {
    const some = moments.slice(start, start + maxMoments);
    for (const { device, lines } of await reader.all<RecentRows>(recentRows(reader, accountId, some, isThen))) {
      if (device === null) shared += lines ?? "";
      else own.set(device, [...(own.get(device) ?? []), ...linesIn(lines)]);
    }
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

/** One statement for both tables: frames may be set apart meanwhile. */
function recentRows(reader: Reader, accountId: number, moments: readonly DeviceMoment[], isThen: Sql): Sql {
  const isThere = sql`r.account_id = ${accountId} and r.device = wanted.column1 and ${isThen}`;
  const first = Math.min(...moments.map(({ at }) => at));
  return sql`
    select r.device, ${allLines} as lines from ${momentRows(moments)} wanted
    ${ofEachDevice(reader.engine, lineTables.recent_frames, isThere, nothing)}
    group by r.device
    union all
    select null, string_agg(g.lines, '') from shared_frames g
    where g.account_id = ${accountId} and g.until_at >= ${first} and g.neighbours in (
      select f.neighbours from device_folds f
      where f.account_id = ${accountId} and f.device in ${listOf(moments.map(({ device }) => device))})`;
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
  const rows = await reader.all<{ lines: string | null; shared: string | null }>(sql`
    select (
      select ${allLines} from ${lineTables[name]} r
      where r.account_id = ${accountId} and r.device = ${device} and r.recorded_at in ${listOf(times)}) as lines,
      ${shared} as shared`);
  const near = rows
    .flatMap((row) => sharedLinesOf(device, row.shared))
    .filter(({ recordedAt }) => times.has(recordedAt));
  return withShared(
    rows.flatMap(({ lines }) => linesIn(lines)),
    near,
  );
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
