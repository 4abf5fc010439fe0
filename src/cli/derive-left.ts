import type { FrameQueue } from "../intake/queue.ts";
import type { Database } from "../store/database.ts";
import { dirtyDevices } from "../store/folds.ts";
import type { DeviceKey } from "../store/frames.ts";
import type { Terminal } from "./command.ts";

/**
 * Derives what is noted to be derived again: by this command, or by one that was killed before it could. A server beside
 * it may do some of it meanwhile; then there is nothing left to do. Gives how many devices it was, of all or of those named.
 */
export async function deriveLeft(
  database: Database,
  writer: FrameQueue,
  { progress }: Pick<Terminal, "progress">,
  only: readonly DeviceKey[] | null = null,
): Promise<number> {
  const left = await dirtyDevices(database, Number.MAX_SAFE_INTEGER);
  const keys = only === null ? left : left.filter(({ device }) => only.some((key) => key.device === device));
  for (const [index, key] of keys.entries()) {
    progress("deriving again", index, keys.length);
    await writer.schedule.derive([key]);
  }
  if (keys.length > 0) progress("deriving again", keys.length, keys.length);
  return keys.length;
}
