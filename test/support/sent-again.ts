import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { forgetFrames, newWriter } from "./ingest-node.ts";
import { everyFrame } from "./stored-frames.ts";

/** Forgets everything but the fleet, and sends all frames that were stored, as if they came now for the first time. */
export async function sendAllAgain(database: Database): Promise<void> {
  const frames = Map.groupBy(await sentFrames(database), ({ accountId }) => accountId);
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

async function sentFrames(
  database: Database,
): Promise<{ readonly accountId: number; readonly frame: IncomingFrame }[]> {
  const devices = await database.all<{ device: number; imei: string }>(sql`select device, imei from devices`);
  const imeis = new Map(devices.map(({ device, imei }) => [device, imei]));
  const inOrder = (await everyFrame(database)).toSorted(
    (one, other) =>
      one.accountId - other.accountId ||
      one.frame.recordedAt - other.frame.recordedAt ||
      one.device - other.device ||
      one.frame.digest - other.frame.digest,
  );
  return inOrder.map(({ accountId, device, frame, verdict }) => {
    const { digest: _, ...report } = frame;
    // One without a time of its own is stored under that of its receipt.
    const isTimeless = verdict.rejectReason === "time_invalid" && frame.recordedAt === frame.receivedAt;
    return {
      accountId,
      frame: { ...report, imei: imeis.get(device) ?? "", recordedAt: isTimeless ? null : frame.recordedAt },
    };
  });
}
