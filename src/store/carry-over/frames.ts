import type { PositionSource, SensorReport } from "../../domain/frame.ts";
import { isTimeReason, type RejectReason } from "../../domain/verdict.ts";
import type { StoredFrame } from "../blocks/stored-frame.ts";
import type { Transaction } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { appendToBlocks } from "../frames/frame-blocks.ts";
import { lineRow, saveLines } from "../frames/recent-frames.ts";
import { limitTo, sql } from "../sql.ts";
import { conversionOf, type Place, placeOf, rowsByDevice, savePlace } from "./conversion.ts";
import { parseOldFrame } from "./old-frame-text.ts";

interface OldRow {
  readonly account_id: number;
  readonly device: number;
  readonly recorded_at: number;
  readonly digest: number;
  readonly packed: string;
  readonly fix: number | boolean | null;
  readonly source: PositionSource | null;
  readonly sensors_json: string | null;
  readonly valid: number | boolean;
  readonly reject_reason: RejectReason | null;
  readonly discontinuity: number | boolean;
  readonly timely_at: number | null;
}

/** Moves frames of 1.0.0, one row each, into blocks, device by device. */
export const oldFrames = conversionOf({ what: "frames", rowsPerStep: 12_000, convertSome: moveSome });

async function moveSome(tx: Transaction, count: number): Promise<number> {
  const place = await placeOf(tx, "frames");
  const rows = await nextRows(tx, place, count);
  const last = rows.at(-1);
  if (last === undefined) return 0;
  for (const [key, own] of rowsByDevice(rows)) await moveFrames(tx, key, own);
  await savePlace(tx, "frames", { ...last, kind: "", done: place.done + rows.length });
  return rows.length;
}

async function nextRows(tx: Transaction, place: Place, count: number): Promise<OldRow[]> {
  const { account_id, device, recorded_at, digest } = place;
  const rows = await tx.all<OldRow>(sql`
    select ${columns} from old_frames
    where (account_id, device, recorded_at, digest) > (${account_id}, ${device}, ${recorded_at}, ${digest})
    order by account_id, device, recorded_at, digest ${limitTo(count)}`);
  const last = rows.at(-1);
  if (last === undefined) return [];
  // Frames of one time are in one block: a step never ends between them.
  const others = await tx.all<OldRow>(sql`
    select ${columns} from old_frames
    where account_id = ${last.account_id} and device = ${last.device} and recorded_at = ${last.recorded_at}
      and digest > ${last.digest}
    order by digest`);
  return [...rows, ...others];
}

const columns = sql`account_id, device, recorded_at, digest, packed, fix, source, sensors_json, valid, reject_reason,
  discontinuity, timely_at`;

async function moveFrames(tx: Transaction, key: DeviceKey, rows: readonly OldRow[]): Promise<void> {
  const untimely = rows.filter((row) => isTimeReason(row.reject_reason));
  await saveLines(
    tx,
    "untimely_frames",
    untimely.map((row) => lineRow(key, storedFrame(row))),
  );
  const timely = rows.filter((row) => !isTimeReason(row.reject_reason));
  const last = timely.at(-1);
  if (last === undefined) return;
  await appendToBlocks(tx, key.accountId, new Map([[key.device, timely.map(storedFrame)]]));
  await tx.write(sql`
    update device_folds set sealed_until = ${last.recorded_at}
    where account_id = ${key.accountId} and device = ${key.device}`);
}

function storedFrame(row: OldRow): StoredFrame {
  return {
    frame: {
      ...parseOldFrame(row.packed),
      fix: row.fix === null ? null : Boolean(row.fix),
      source: row.source,
      sensors: row.sensors_json === null ? [] : (JSON.parse(row.sensors_json) as SensorReport[]),
    },
    verdict: {
      valid: Boolean(row.valid),
      rejectReason: row.reject_reason,
      discontinuity: Boolean(row.discontinuity),
    },
    timelyAt: row.timely_at,
  };
}
