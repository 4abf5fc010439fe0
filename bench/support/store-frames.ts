import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { FrameQueue } from "../../src/intake/queue.ts";
import type { Database } from "../../src/store/database.ts";

const framesAtOnce = 4_000;

/** Stores frames of an account and derives from them, as the server does. */
export async function storeFrames(
  database: Database,
  accountId: number,
  frames: Iterable<IncomingFrame>,
): Promise<void> {
  const queue = new FrameQueue(database, () => {});
  let waiting: IncomingFrame[] = [];
  for (const frame of frames) {
    waiting.push(frame);
    if (waiting.length < framesAtOnce) continue;
    await queue.submit(accountId, waiting);
    waiting = [];
  }
  await queue.submit(accountId, waiting);
  await queue.schedule.close();
}
