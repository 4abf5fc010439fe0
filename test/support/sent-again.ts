import { parseFrame } from "../../src/domain/frame-text.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { forgetFrames, newWriter } from "./ingest-node.ts";

/** Forgets everything but the fleet, and sends all frames that were stored, as if they came now for the first time. */
export async function sendAllAgain(database: Database): Promise<void> {
  const frames = Map.groupBy(await storedFrames(database), ({ accountId }) => accountId);
  await forgetFrames(database);
  const writer = newWriter(database);
  for (const [accountId, sent] of frames) {
    const outcomes = await writer.submit(
      accountId,
      sent.map(({ frame }) => frame),
    );
    const refused = outcomes.filter((outcome) => outcome !== "accepted");
    if (refused.length > 0) throw new Error(`not accepted again: ${JSON.stringify(refused.slice(0, 3))}`);
  }
}

interface FrameRow {
  readonly accountId: number;
  readonly imei: string;
  readonly recordedAt: number;
  readonly receivedAt: number;
  readonly packed: string;
  readonly fix: number | boolean | null;
  readonly source: IncomingFrame["source"];
  readonly sensors: string | null;
  readonly reason: string | null;
}

async function storedFrames(
  database: Database,
): Promise<{ readonly accountId: number; readonly frame: IncomingFrame }[]> {
  const rows = await database.all<FrameRow>(sql`
    select f.account_id as "accountId", d.imei, f.recorded_at as "recordedAt", f.received_at as "receivedAt", f.packed, f.fix,
      f.source, f.sensors_json as sensors, f.reject_reason as reason
    from frames f join devices d on d.account_id = f.account_id and d.device = f.device
    order by f.account_id, f.recorded_at, f.device, f.digest`);
  return rows.map(({ accountId, imei, recordedAt, receivedAt, packed, fix, source, sensors, reason }) => {
    const { digest: _, ...report } = parseFrame(packed);
    // One without a time of its own is stored under that of its receipt.
    const isTimeless = reason === "time_invalid" && recordedAt === receivedAt;
    return {
      accountId,
      frame: {
        ...report,
        imei,
        recordedAt: isTimeless ? null : recordedAt,
        receivedAt,
        fix: fix === null ? null : Boolean(fix),
        source,
        sensors: sensors === null ? [] : JSON.parse(sensors),
      },
    };
  });
}
