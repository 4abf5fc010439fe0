import { compareFrames, placeKey } from "../../domain/frame.ts";
import type { FrameLine } from "../blocks/frame-line.ts";
import { sharedLine, sharedLinesByDevice } from "../blocks/shared-lines.ts";
import type { StoredFrame } from "../blocks/stored-frame.ts";
import { bigint, text } from "../columns.ts";
import type { BulkTable, Engine, Row, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { hasWithin, listOf, nothing, type Sql, sql } from "../sql.ts";

/**
 * The newest frames of neighbouring devices that came together, in one row: a row for each, on a page of its own, would cost more to
 * write than all else. Such a row is never changed. Who needs more than that a device's frames are read takes all rows of its
 * neighbours out of the table, and what still waits then is in rows of its own.
 */
const sharedTable: BulkTable = {
  name: "shared_frames",
  columns: {
    account_id: bigint,
    neighbours: bigint,
    from_at: bigint,
    device: bigint,
    digest: bigint,
    until_at: bigint,
    lines: text,
  },
};

/** So many devices of an account are neighbours: a frame of each takes about as much as a row may be long. */
export const neighboursTogether = 8;
/** Of fewer devices, each frame is in a row of its own: who reads one device's would read more than was saved when they were written. */
const fewestTogether = 3;
/** Three rows fill a page of SQLite. */
const maxLength = 1_300;

export interface WaitingFrame extends DeviceKey {
  readonly neighbours: number | null;
  /** No row has it yet. */
  readonly stored: StoredFrame;
}

/** Stores frames in rows with those of their neighbours, and returns the others. */
export async function saveShared(tx: Transaction, frames: readonly WaitingFrame[]): Promise<readonly WaitingFrame[]> {
  if (frames.length < fewestTogether) return frames;
  const rows: Row[] = [];
  const others: WaitingFrame[] = [];
  for (const [neighbours, group] of Map.groupBy(frames, ({ neighbours }) => neighbours)) {
    if (neighbours !== null && areEnough(group)) addRows(rows, neighbours, group);
    else for (const frame of group) others.push(frame);
  }
  if (rows.length > 0) await tx.insertMany(sharedTable, rows);
  return others;
}

function areEnough(frames: readonly WaitingFrame[]): boolean {
  return frames.length >= fewestTogether && new Set(frames.map(({ device }) => device)).size >= fewestTogether;
}

function addRows(rows: Row[], neighbours: number, frames: readonly WaitingFrame[]): void {
  const inOrder = [...frames].sort((one, other) => compareFrames(one.stored.frame, other.stored.frame));
  for (let start = 0; start < inOrder.length; ) {
    const { accountId, device, stored } = inOrder[start] as WaitingFrame;
    let [lines, end] = ["", start];
    for (; end < inOrder.length; end++) {
      const frame = inOrder[end] as WaitingFrame;
      const line = sharedLine(frame.device, frame.stored);
      if (end > start && lines.length + line.length > maxLength) break;
      lines += line;
    }
    rows.push({
      account_id: accountId,
      neighbours,
      from_at: stored.frame.recordedAt,
      device,
      digest: stored.frame.digest,
      until_at: (inOrder[end - 1] as WaitingFrame).stored.frame.recordedAt,
      lines,
    });
    start = end;
  }
}

/** The texts of rows that may have frames of a device, joined. `window`: a condition on rows `g`. */
export function sharedText(accountId: number, device: number | Sql, window: Sql): Sql {
  return sql`(select string_agg(g.lines, '') from shared_frames g where ${isNear(accountId, device)} and ${window})`;
}

/** Rows `g` that may have frames of a device. */
export function isNear(accountId: number, device: number | Sql): Sql {
  return sql`g.account_id = ${accountId} and g.neighbours = (
    select f.neighbours from device_folds f where f.account_id = ${accountId} and f.device = ${device})`;
}

/** Whether a frame of device `d` lies in a window, as far as that is known without reading the times of all frames. */
export function hasSharedIn(engine: Engine, accountId: number, { fromMs, toMs }: Window): Sql {
  return sql`exists (
    select 1 from shared_frames g where ${isNear(accountId, sql`d.device`)} and g.from_at >= ${fromMs} and g.until_at < ${toMs}
      and ${hasFrameOf(engine, sql`d.device`)})`;
}

/** Whether row `g` has a frame of the device. */
export function hasFrameOf(engine: Engine, device: Sql): Sql {
  return hasWithin(engine, sql`g.lines`, sql`${"\n"} || cast(${device} as text) || ${"\t"}`);
}

/** The texts of the few other rows in which a frame of device `d` may lie in the window. */
export function sharedAtEdges(accountId: number, { fromMs, toMs }: Window): Sql {
  const isAtEdge = sql`g.from_at < ${toMs} and g.until_at >= ${fromMs} and (g.from_at < ${fromMs} or g.until_at >= ${toMs})`;
  return sharedText(accountId, sql`d.device`, isAtEdge);
}

interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Both in order. A frame in a row of its own has been judged or received anew since it was stored with others. */
export function withShared(own: readonly FrameLine[], shared: readonly FrameLine[]): readonly FrameLine[] {
  if (shared.length === 0) return own;
  const lines = new Map(own.map((line) => [placeKey(line), line]));
  for (const line of shared) {
    const key = placeKey(line);
    if (!lines.has(key)) lines.set(key, line);
  }
  return [...lines.values()].sort(compareFrames);
}

/** A list of values has room for so many. */
const deletedTogether = 500;

interface TakenRow {
  readonly digest: number;
  readonly lines: string;
}

/**
 * Takes all rows of these neighbours out of the table: their frames by device. Whoever does the same at this time waits, and finds
 * nothing: so what he needs besides he reads afterwards.
 */
export async function takeShared(
  tx: Transaction,
  accountId: number,
  neighbours: ReadonlySet<number>,
): Promise<ReadonlyMap<number, readonly FrameLine[]>> {
  const isTheirs = sql`account_id = ${accountId} and neighbours in ${listOf(neighbours)}`;
  const held = tx.engine === "postgres" ? sql`order by neighbours, from_at, device, digest for update` : nothing;
  const rows = await tx.all<TakenRow>(sql`select digest, lines from shared_frames where ${isTheirs} ${held}`);
  if (rows.length === 0) return new Map();
  for (let start = 0; start < rows.length; start += deletedTogether) {
    const some = rows.slice(start, start + deletedTogether);
    const digests = listOf(some.map(({ digest }) => digest));
    await tx.write(
      sql`delete from shared_frames where ${isTheirs} and digest in ${digests}`,
      new Set(digests.values).size,
    );
  }
  return sharedLinesByDevice(rows.map(({ lines }) => lines).join(""));
}
