import type { FrameQueue } from "../intake/queue.ts";
import type { Database } from "../store/database.ts";
import type { DeviceKey } from "../store/device-key.ts";
import { foundInEach } from "../store/each-account.ts";
import { dirtyDevices } from "../store/folds.ts";
import type { Terminal } from "./command.ts";

/**
 * Derives the devices that this command, or one that was killed, has marked as pending. A server may do some of it at the
 * same time. Returns how many devices were pending, of all or of those named.
 */
export async function derivePending(
  database: Database,
  writer: FrameQueue,
  { progress }: Pick<Terminal, "progress">,
  only: readonly DeviceKey[] | null = null,
): Promise<number> {
  const pending = await foundInEach(database, (accountId) =>
    dirtyDevices(database, accountId, Number.MAX_SAFE_INTEGER),
  );
  const keys = only === null ? pending : pending.filter(({ device }) => only.some((key) => key.device === device));
  for (const [index, key] of keys.entries()) {
    progress("deriving again", index, keys.length);
    await writer.schedule.derive([key]);
  }
  if (keys.length > 0) progress("deriving again", keys.length, keys.length);
  return keys.length;
}
