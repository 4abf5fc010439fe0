import { type FramePlace, placeKey, type SensorReport } from "../../domain/frame.ts";
import { encodeFrames, FrameBlock } from "../blocks/frame-block.ts";
import { mergedFrames, type StoredFrame } from "../blocks/stored-frame.ts";
import { bigint, bytes, integer } from "../columns.ts";
import type { Reader, Row, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { listOf, numberRows, type Sql, sql } from "../sql.ts";
import { table, upsert } from "../table.ts";

/** A block has so many frames: with a few more, a body would not fit into what PostgreSQL stores in one piece. */
export const framesPerBlock = 120;
/** One that has as many is not opened again for the next ones: that costs more than it saves on disk. */
const nearlyFull = 80;

export const blockTable = table("frame_blocks", ["account_id", "device", "from_at"], {
  account_id: bigint,
  device: bigint,
  from_at: bigint,
  until_at: bigint,
  count: integer,
  received_until: bigint,
  kinds: integer,
  body: bytes,
});

/** Blocks of frames, and of the readings of frames that were dropped. */
export type BlockTable = "frame_blocks" | "reading_blocks";

export const blockTables: Readonly<Record<BlockTable, Sql>> = {
  frame_blocks: sql`frame_blocks`,
  reading_blocks: sql`reading_blocks`,
};

/** A block twice as large is cut into equal parts. Readings without frames have a digest each, which does not compress. */
const sizes: Readonly<Record<BlockTable, number>> = { frame_blocks: framesPerBlock, reading_blocks: 100 };

const saveBlocks = {
  frame_blocks: upsert(blockTable),
  reading_blocks: upsert({ ...blockTable, name: "reading_blocks" }),
};

/** The bits of `kinds`. */
export const kindBits: Readonly<Record<SensorReport["kind"], number>> = { fuel: 1, temperature: 2, tyre: 4 };

export interface BlockEdits extends DeviceKey {
  readonly saved: readonly StoredFrame[];
  readonly removed: readonly FramePlace[];
}

interface OpenBlock extends DeviceKey {
  readonly fromAt: number;
  readonly frames: readonly StoredFrame[];
}

interface BlockRow {
  readonly device: number;
  readonly from_at: number;
  readonly until_at: number;
  readonly body: Uint8Array;
}

/** What becomes of blocks. Each is written once. */
class BlockWrites {
  readonly #table: BlockTable;
  readonly #gone: (DeviceKey & { readonly fromAt: number })[] = [];
  readonly #rows: Row[] = [];

  constructor(table: BlockTable) {
    this.#table = table;
  }

  /** The frames, in order, that replace a block; null: they were in none. */
  replace(key: DeviceKey, block: OpenBlock | null, frames: readonly StoredFrame[], size: number): void {
    for (const part of partsOf(frames, size)) this.#rows.push(blockRow(key, part));
    const first = frames[0]?.frame.recordedAt;
    if (block !== null && block.fromAt !== first) this.#gone.push(block);
  }

  async write(tx: Transaction): Promise<void> {
    for (const { accountId, device, fromAt } of this.#gone) {
      await tx.run(sql`
        delete from ${blockTables[this.#table]}
        where account_id = ${accountId} and device = ${device} and from_at = ${fromAt}`);
    }
    if (this.#rows.length > 0) await tx.insertMany(saveBlocks[this.#table], this.#rows);
  }
}

/** Cuts frames into parts of this size; the first may have another, the last has the rest. Frames of one time stay together. */
function partsOf(frames: readonly StoredFrame[], size: number, first = size): StoredFrame[][] {
  const parts: StoredFrame[][] = [];
  for (let start = 0; start < frames.length; ) {
    let end = Math.min(start + (start === 0 ? first : size), frames.length);
    while (end < frames.length && timeAt(frames, end) === timeAt(frames, end - 1)) end++;
    parts.push(frames.slice(start, end));
    start = end;
  }
  return parts;
}

function timeAt(frames: readonly StoredFrame[], index: number): number | undefined {
  return frames[index]?.frame.recordedAt;
}

/** `earlier`: the block that the frames are added to. */
function blockRow({ accountId, device }: DeviceKey, frames: readonly StoredFrame[], earlier?: LastBlock): Row {
  let receivedUntil = earlier?.received_until ?? Number.MIN_SAFE_INTEGER;
  let kinds = earlier?.kinds ?? 0;
  for (const { frame } of frames) {
    receivedUntil = Math.max(receivedUntil, frame.receivedAt);
    for (const { kind } of frame.sensors) kinds |= kindBits[kind];
  }
  return {
    account_id: accountId,
    device,
    from_at: earlier?.from_at ?? timeAt(frames, 0) ?? 0,
    until_at: timeAt(frames, frames.length - 1) ?? 0,
    count: (earlier?.count ?? 0) + frames.length,
    received_until: receivedUntil,
    kinds,
    body: encodeFrames(frames, earlier === undefined ? null : new FrameBlock(earlier.body)),
  };
}

/** Adds frames, in order, after all blocks of their devices. The last block of a device is filled up first. */
export async function appendToBlocks(
  tx: Transaction,
  accountId: number,
  framesOf: ReadonlyMap<number, readonly StoredFrame[]>,
): Promise<void> {
  const last = new Map((await lastBlocks(tx, accountId, framesOf.keys())).map((row) => [row.device, row]));
  const rows: Row[] = [];
  for (const [device, frames] of framesOf) {
    const block = last.get(device);
    const room = framesPerBlock - (block?.count ?? 0);
    for (const [index, part] of partsOf(frames, framesPerBlock, room).entries()) {
      rows.push(blockRow({ accountId, device }, part, index === 0 ? block : undefined));
    }
  }
  if (rows.length > 0) await tx.insertMany(saveBlocks.frame_blocks, rows);
}

/** A block with room: what its row says of it stays true, and grows, as frames are added. */
interface LastBlock extends BlockRow {
  readonly count: number;
  readonly received_until: number;
  readonly kinds: number;
}

/** Those of the devices' last blocks that have room. */
function lastBlocks(tx: Transaction, accountId: number, devices: Iterable<number>): Promise<LastBlock[]> {
  return tx.all<LastBlock>(sql`
    select ${blockColumns}, b.count, b.received_until, b.kinds from device_folds f cross join frame_blocks b
    where f.account_id = ${accountId} and f.device in ${listOf(devices)}
      and b.account_id = ${accountId} and b.device = f.device and b.count < ${nearlyFull}
      and b.from_at = (select max(l.from_at) from frame_blocks l where l.account_id = ${accountId} and l.device = f.device)`);
}

/** Writes late frames and new verdicts into blocks. A stored frame is replaced; what is unknown of its receipt stays. */
export async function editBlocks(
  tx: Transaction,
  edits: BlockEdits,
  table: BlockTable = "frame_blocks",
): Promise<void> {
  const { saved, removed } = edits;
  const times = [...saved.map(({ frame }) => frame.recordedAt), ...removed.map(({ recordedAt }) => recordedAt)];
  const blocks = await blocksFor(tx, table, edits, times);
  const blockOf = (at: number) => blocks.findLast(({ fromAt }) => fromAt <= at) ?? blocks[0] ?? null;
  const savedIn = Map.groupBy(saved, ({ frame }) => blockOf(frame.recordedAt));
  const removedIn = Map.groupBy(removed, ({ recordedAt }) => blockOf(recordedAt));
  const writes = new BlockWrites(table);
  for (const block of new Set([...savedIn.keys(), ...removedIn.keys()])) {
    const gone = new Set((removedIn.get(block) ?? []).map(placeKey));
    const left = (block?.frames ?? []).filter(({ frame }) => !gone.has(placeKey(frame)));
    const frames = mergedFrames([left, savedIn.get(block) ?? []]);
    const parts = frames.length < 2 * sizes[table] ? 1 : Math.ceil(frames.length / sizes[table]);
    writes.replace(edits, block, frames, Math.ceil(frames.length / parts));
  }
  await writes.write(tx);
}

/** Removes the frames up to a moment from the block that the moment is in, and returns them. */
export async function trimBlock(tx: Transaction, key: DeviceKey, until: number): Promise<StoredFrame[]> {
  const [row] = await blocksAt(tx, "frame_blocks", key, [until]);
  if (row === undefined) return [];
  const block = openBlock(key, row);
  const left = block.frames.filter(({ frame }) => frame.recordedAt > until);
  const writes = new BlockWrites("frame_blocks");
  writes.replace(key, block, left, Math.max(left.length, 1));
  await writes.write(tx);
  return block.frames.filter(({ frame }) => frame.recordedAt <= until);
}

/** The blocks that frames of these times belong into, in order. Times before all blocks belong into the first. */
async function blocksFor(
  reader: Reader,
  table: BlockTable,
  key: DeviceKey,
  times: readonly number[],
): Promise<OpenBlock[]> {
  const rows = await blocksAt(reader, table, key, times);
  if (times.some((at) => !rows.some(({ from_at }) => from_at <= at))) {
    const { accountId, device } = key;
    const first = await reader.get<BlockRow>(sql`
      select ${blockColumns} from ${blockTables[table]} b where b.account_id = ${accountId} and b.device = ${device}
      order by b.from_at limit 1`);
    if (first !== null && !rows.some(({ from_at }) => from_at === first.from_at)) rows.push(first);
  }
  return rows.map((row) => openBlock(key, row)).sort((one, other) => one.fromAt - other.fromAt);
}

function openBlock({ accountId, device }: DeviceKey, { from_at, body }: BlockRow): OpenBlock {
  return { accountId, device, fromAt: from_at, frames: new FrameBlock(body).frames() };
}

const blockColumns = sql`b.device, b.from_at, b.until_at, b.body`;

/** For each of these times the last block that begins at or before it. Each block is returned once. */
async function blocksAt(
  reader: Reader,
  table: BlockTable,
  { accountId, device }: DeviceKey,
  times: Iterable<number>,
): Promise<BlockRow[]> {
  const starts = await reader.all<{ from_at: number | null }>(sql`
    select distinct (
      select max(b.from_at) from ${blockTables[table]} b
      where b.account_id = ${accountId} and b.device = ${device} and b.from_at <= w.column1) as from_at
    from ${numberRows(times)} w`);
  return reader.all<BlockRow>(sql`
    select ${blockColumns} from ${blockTables[table]} b
    where b.account_id = ${accountId} and b.device = ${device} and b.from_at in ${listOf(starts.flatMap(({ from_at }) => from_at ?? []))}`);
}

export async function blockFramesAt(
  reader: Reader,
  key: DeviceKey,
  times: ReadonlySet<number>,
  table: BlockTable = "frame_blocks",
): Promise<StoredFrame[]> {
  const found: StoredFrame[] = [];
  for (const { body } of await blocksAt(reader, table, key, times)) {
    const block = new FrameBlock(body);
    for (let index = 0; index < block.count; index++) {
      if (times.has(block.recordedAt[index] as number)) found.push(block.frame(index));
    }
  }
  return found;
}
