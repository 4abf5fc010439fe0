import { Failure } from "../../domain/errors.ts";
import { quantity } from "../../domain/text/text.ts";
import type { FrameQueue } from "../../intake/queue.ts";
import type { Database } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import { allAccounts } from "../../store/each-account.ts";
import { dirtyDevices } from "../../store/facts/folds.ts";
import type { Terminal } from "../common/command.ts";

/**
 * Derives the devices that this command, or one that was killed, has marked as pending. A server may do some of it at the
 * same time. Returns how many devices were pending, of all or of those named. If some of it fails, the rest is done first, and
 * the failure says that all is stored. Accounts that this command has nothing to do with may be out of reach, as when their worker
 * of a Citus cluster is down: a running server derives them later.
 */
export async function derivePending(
  database: Database,
  writer: FrameQueue,
  { progress }: Pick<Terminal, "progress">,
  { only = null, concerns = () => true }: Which = {},
): Promise<number> {
  const failures: unknown[] = [];
  const attempt = async <Result>(work: Promise<Result>, otherwise: Result) =>
    work.catch((error: unknown) => {
      failures.push(error);
      return otherwise;
    });
  const pending: DeviceKey[] = [];
  for await (const accountId of allAccounts(database)) {
    const found = dirtyDevices(database, accountId, Number.MAX_SAFE_INTEGER);
    pending.push(...(await attempt(concerns(accountId) ? found : found.catch(noneIfUnreachable), [])));
  }
  const keys = only === null ? pending : pending.filter(({ device }) => only.some((key) => key.device === device));
  for (const [index, key] of keys.entries()) {
    progress("deriving again", index, keys.length);
    await attempt(writer.schedule.derive([key]), undefined);
  }
  if (keys.length > 0) progress("deriving again", keys.length, keys.length);
  if (failures.length > 0) throw stillToDerive(failures);
  return keys.length;
}

interface Which {
  /** Default: all devices. */
  readonly only?: readonly DeviceKey[] | null;
  /** Whether the command may have marked devices of the account. */
  readonly concerns?: (accountId: number) => boolean;
}

function noneIfUnreachable(error: unknown): DeviceKey[] {
  if (error instanceof Failure && error.code === "STORE_UNREACHABLE") return [];
  throw error;
}

function stillToDerive(failures: readonly unknown[]): Failure {
  const [first] = failures;
  const reason = first instanceof Error ? first.message : String(first);
  const others = failures.length > 1 ? `, and ${quantity(failures.length - 1, "more failure")}` : "";
  const message = `all is stored, but not all that follows from it could be derived (${reason}${others}): a running server does the rest, or the next \`odograph load\``;
  return new Failure(first instanceof Failure ? first.code : "INTERNAL", message, { cause: first });
}
