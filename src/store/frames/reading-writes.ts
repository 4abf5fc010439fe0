import { type FramePlace, nothingReported, placeKey, type SensorReport } from "../../domain/frame.ts";
import { ownProblem } from "../../domain/quality/own-verdict.ts";
import { accepted } from "../../domain/verdict.ts";
import type { StoredFrame } from "../blocks/stored-frame.ts";
import type { BulkTable, Row, Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { type Sql, sql } from "../sql.ts";
import { blockFramesAt, editBlocks, kindBits } from "./frame-blocks.ts";
import { framesAt } from "./frames.ts";
import { readingTable } from "./readings.ts";

const bulk: BulkTable = { ...readingTable, onConflict: "on conflict do nothing" };

/** One row per kind of sensor and moment. */
export async function saveReadings(
  tx: Transaction,
  frames: readonly (DeviceKey & Pick<StoredFrame, "frame">)[],
): Promise<void> {
  const rows: Row[] = [];
  for (const { accountId, device, frame } of frames) {
    for (const kind of new Set(frame.sensors.map(({ kind }) => kind))) {
      rows.push({ account_id: accountId, kind: kindBits[kind], recorded_at: frame.recordedAt, device });
    }
  }
  if (rows.length > 0) await tx.insertMany(bulk, rows);
}

export interface RemovedReadings {
  readonly place: FramePlace;
  readonly sensors: readonly SensorReport[];
}

/** Removes the readings of a device's frames that leave their places, and returns them. The frames are still there. */
export async function removeReadingsAt(
  tx: Transaction,
  key: DeviceKey,
  places: readonly FramePlace[],
): Promise<RemovedReadings[]> {
  const times = new Set(places.map(({ recordedAt }) => recordedAt));
  const gone = new Set(places.map(placeKey));
  const isGone = ({ frame }: StoredFrame) => gone.has(placeKey(frame));
  const stored = await framesAt(tx, key, times);
  const kept = await blockFramesAt(tx, key, times, "reading_blocks");
  const removed = kept.filter(isGone).map(({ frame }) => frame);
  if (removed.length > 0) await editBlocks(tx, { ...key, saved: [], removed }, "reading_blocks");
  const leaving = stored.filter(isGone);
  const left = new Set([...stored, ...kept].filter((frame) => !isGone(frame)).flatMap(momentsOf));
  for (const moment of new Set(leaving.flatMap(momentsOf))) {
    if (!left.has(moment)) await tx.writeAny(removal(key, moment));
  }
  return leaving.map(({ frame }) => ({ place: frame, sensors: frame.sensors }));
}

/** Each kind of sensor with the time: `1 1767225600000`. */
function momentsOf({ frame }: StoredFrame): string[] {
  return frame.sensors.map(({ kind }) => `${kindBits[kind]} ${frame.recordedAt}`);
}

function removal({ accountId, device }: DeviceKey, moment: string): Sql {
  const [kind = 0, recordedAt = 0] = moment.split(" ").map(Number);
  return sql`
    delete from readings
    where account_id = ${accountId} and kind = ${kind} and recorded_at = ${recordedAt} and device = ${device}`;
}

/** Keeps the readings of a device's frames that are dropped. They stay in blocks, as frames that report nothing else. */
export async function keepReadings(tx: Transaction, key: DeviceKey, dropped: readonly StoredFrame[]): Promise<void> {
  const saved = dropped.filter(({ frame }) => frame.sensors.length > 0).map(readingsOnly);
  if (saved.length > 0) await editBlocks(tx, { ...key, saved, removed: [] }, "reading_blocks");
}

function readingsOnly({ frame }: StoredFrame): StoredFrame {
  const { recordedAt, receivedAt, digest, sensors } = frame;
  const { latitude, longitude } = ownProblem(frame) === null ? frame : nothingReported;
  return {
    frame: { ...nothingReported, latitude, longitude, recordedAt, receivedAt, digest, sensors },
    verdict: accepted,
  };
}
