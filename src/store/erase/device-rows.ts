import { FrameBlock } from "../blocks/frame-block.ts";
import { allLines, linesIn } from "../blocks/frame-line.ts";
import type { StoredFrame } from "../blocks/stored-frame.ts";
import type { Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { kindBits } from "../frames/frame-blocks.ts";
import { hasSensors } from "../frames/recent-frames.ts";
import { setDeviceApart } from "../frames/waiting-frames.ts";
import { limitTo, listOf, plainSql, type Sql, sql } from "../sql.ts";
import { neverGiveOutAgain, noteErased } from "./notes.ts";

/** A table with many rows of a device, and the column in whose order they are taken. */
interface DeviceTable {
  readonly name: string;
  readonly by: string;
  /** Rows in one transaction: some milliseconds, since others wait for it. */
  readonly count: number;
  readonly content: "blocks" | "lines" | "alerts" | "rows";
}

/** In this order: readings have no index by device, and are found by the frames that they are in. */
export const deviceTables: readonly DeviceTable[] = [
  { name: "frame_blocks", by: "from_at", count: 20, content: "blocks" },
  { name: "reading_blocks", by: "from_at", count: 20, content: "blocks" },
  { name: "recent_frames", by: "recorded_at", count: 1_000, content: "lines" },
  { name: "untimely_frames", by: "recorded_at", count: 1_000, content: "lines" },
  { name: "alerts", by: "occurred_at", count: 500, content: "alerts" },
  { name: "trips", by: "started_at", count: 1_000, content: "rows" },
  { name: "stops", by: "started_at", count: 1_000, content: "rows" },
  { name: "geofence_events", by: "occurred_at", count: 1_000, content: "rows" },
  { name: "mileage_days", by: "day", count: 1_000, content: "rows" },
  { name: "fold_checkpoints", by: "recorded_at", count: 500, content: "rows" },
];

/** Erases some rows of a device that is marked. Returns how many; 0: there are no more in this table. */
export async function eraseSomeRows(tx: Transaction, key: DeviceKey, table: DeviceTable): Promise<number> {
  const { accountId, device } = key;
  const [name, by] = [plainSql(table.name), plainSql(table.by)];
  const isOwn = sql`account_id = ${accountId} and device = ${device}`;
  // A transaction that was about to change the device's frames is done, or finds that it has changed.
  if (tx.engine === "postgres") await tx.all(sql`select device from device_folds where ${isOwn} for update`);
  if (table.name === "recent_frames") await setDeviceApart(tx, key);
  const last = await tx.get<{ last: number | null }>(sql`
    select max(next.last) as last from (
      select ${by} as last from ${name} where ${isOwn} order by account_id, device, ${by} ${limitTo(table.count)}) next`);
  if (last === null || last.last === null) return 0;
  const isFirst = sql`${isOwn} and ${by} <= ${last.last}`;
  await eraseWhatDepends(tx, key, table, isFirst);
  return tx.run(sql`delete from ${name} where ${isFirst}`);
}

async function eraseWhatDepends(tx: Transaction, key: DeviceKey, table: DeviceTable, isFirst: Sql): Promise<void> {
  const name = plainSql(table.name);
  switch (table.content) {
    case "blocks": {
      const blocks = await tx.all<{ body: Uint8Array }>(sql`select body from ${name} where ${isFirst} and kinds > 0`);
      return eraseReadings(
        tx,
        key,
        blocks.flatMap(({ body }) => new FrameBlock(body).frames()),
      );
    }
    case "lines": {
      const row = await tx.get<{ lines: string | null }>(
        sql`select ${allLines} as lines from ${name} r where ${isFirst} and ${hasSensors}`,
      );
      return eraseReadings(
        tx,
        key,
        linesIn(row?.lines ?? null).map((line) => line.stored()),
      );
    }
    case "alerts": {
      const alerts = await tx.all<{ id: string }>(sql`select id from alerts where ${isFirst}`);
      const ids = listOf(alerts.map(({ id }) => id));
      await tx.run(sql`
        delete from alert_acknowledgements where account_id = ${key.accountId} and alert_id in ${ids}`);
      return;
    }
    case "rows":
      return;
  }
}

async function eraseReadings(tx: Transaction, key: DeviceKey, frames: readonly StoredFrame[]): Promise<void> {
  const { accountId, device } = key;
  const times = new Map<number, Set<number>>();
  for (const { frame } of frames) {
    for (const { kind } of frame.sensors) {
      const ofKind = times.get(kindBits[kind]) ?? new Set();
      times.set(kindBits[kind], ofKind.add(frame.recordedAt));
    }
  }
  for (const [kind, recordedAt] of times) {
    await tx.run(sql`
      delete from readings
      where account_id = ${accountId} and kind = ${kind} and recorded_at in ${listOf(recordedAt)} and device = ${device}`);
  }
}

/** The last of a device: nothing else is left of it. */
export async function eraseDeviceItself(tx: Transaction, { accountId, device }: DeviceKey): Promise<void> {
  const isOwn = sql`account_id = ${accountId} and device = ${device}`;
  const row = await tx.get<{ id: string }>(sql`select id from device_directory where device = ${device}`);
  await tx.run(sql`delete from forgotten_removals where ${isOwn}`);
  await tx.run(sql`delete from device_folds where ${isOwn}`);
  await tx.run(sql`delete from devices where ${isOwn}`);
  await tx.run(sql`delete from device_directory where device = ${device}`);
  await neverGiveOutAgain(tx, "devices", device);
  await noteErased(tx, "device", row?.id ?? "");
}
