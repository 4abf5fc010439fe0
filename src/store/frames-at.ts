import type { Visibility } from "../domain/visibility.ts";
import { FrameBlock } from "./blocks/frame-block.ts";
import { allLines, linesIn } from "./blocks/frame-line.ts";
import type { Reader } from "./database.ts";
import type { DeviceOfRow } from "./fact-table.ts";
import { type FoundFrame, FrameInBlock } from "./frame-reads.ts";
import { type DeviceMoment, keysOf, maxMoments } from "./rows-at.ts";
import { type Sql, sql } from "./sql.ts";
import { isVisible } from "./visible.ts";

/** A frame of one of several devices. */
export interface FrameAt extends DeviceOfRow, DeviceMoment {
  readonly frame: FoundFrame;
}

interface Found extends DeviceOfRow {
  readonly device: number;
  readonly body: Uint8Array | null;
  readonly lines: string | null;
}

/** The frames that were recorded at exactly these moments, as far as the viewer sees the devices, in any order. */
export async function framesAtMoments(
  reader: Reader,
  visibility: Visibility,
  moments: readonly DeviceMoment[],
): Promise<FrameAt[]> {
  const found: FrameAt[] = [];
  for (let start = 0; start < moments.length; start += maxMoments) {
    const chunk = moments.slice(start, start + maxMoments);
    const timesOf = Map.groupBy(chunk, ({ device }) => device);
    const rows = await reader.all<Found>(statement(visibility, chunk));
    for (const { device, device_id, imei, body, lines } of rows) {
      const times = new Set((timesOf.get(device) ?? []).map(({ at }) => at));
      for (const frame of body === null ? linesIn(lines) : framesOf(body)) {
        if (times.has(frame.recordedAt)) found.push({ device, device_id, imei, at: frame.recordedAt, frame });
      }
    }
  }
  return found;
}

function framesOf(body: Uint8Array): FoundFrame[] {
  const block = new FrameBlock(body);
  return Array.from({ length: block.count }, (_, index) => new FrameInBlock(block, index));
}

/** One for all tables, so that no frame is missed that is moved into a block meanwhile. Each block is returned once. */
function statement(visibility: Visibility, moments: readonly DeviceMoment[]): Sql {
  const { accountId } = visibility;
  const linesOf = (table: Sql) => sql`
    select w.device, w.device_id, w.imei, null as body, ${allLines} as lines from wanted w cross join ${table} r
    where r.account_id = ${accountId} and r.device = w.device and r.recorded_at = w.at
    group by w.device, w.device_id, w.imei`;
  return sql`
    with wanted as materialized (
      select d.device, d.id as device_id, d.imei, v.column2 as at from (values ${keysOf(moments)}) v cross join devices d
      where d.device = v.column1 and ${isVisible(visibility)}),
    hit as materialized (
      select distinct w.device, w.device_id, w.imei, b.from_at from wanted w cross join frame_blocks b
      where b.account_id = ${accountId} and b.device = w.device and b.until_at >= w.at
        and b.from_at = (
          select max(l.from_at) from frame_blocks l
          where l.account_id = ${accountId} and l.device = w.device and l.from_at <= w.at))
    select h.device, h.device_id, h.imei, b.body, null as lines from hit h cross join frame_blocks b
    where b.account_id = ${accountId} and b.device = h.device and b.from_at = h.from_at
    union all ${linesOf(recent)}
    union all ${linesOf(untimely)}`;
}

const recent = sql`recent_frames`;
const untimely = sql`untimely_frames`;
