import { Failure } from "../../domain/errors.ts";
import type { Observe } from "../../observe/observation.ts";
import type { Database, OpenOptions, Reader } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import { directoryByImei } from "../../store/fleet/device-writes.ts";
import { openDatabase, type StoreTarget } from "../../store/open.ts";
import { Replica } from "../../store/replica/replica.ts";
import type { CommandCall, Terminal } from "../common/command.ts";
import type { Settings } from "../settings/settings.ts";

/** Opens the store for one command and closes it again, whatever happens. */
export async function withStore<T>(
  call: CommandCall,
  work: (database: Database) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  const database = await openDatabase(call.settings().store, { create, observe: conversionShown(call.terminal) });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Shows why a command takes so long. */
export function conversionShown({ note, progress }: Terminal): Observe {
  return (seen) => {
    if (seen.kind === "store_conversion_started") {
      note(`converting ${seen.what} that an earlier version stored; if interrupted, the next command goes on`);
    } else if (seen.kind === "store_conversion_progress") {
      progress(`converting ${seen.what}`, seen.done, seen.total);
    }
  };
}

/** How often the log says how far it is. */
const progressMs = 10_000;

/** Opens the store for a server, which listens afterwards. Null: it was asked to stop while the store was being converted. */
export async function openForServer(
  store: StoreTarget,
  options: Pick<OpenOptions, "isServer" | "conversions"> & { readonly observe: Observe },
): Promise<Database | null> {
  const stop = new AbortController();
  // The step under way is finished first. A second signal ends the process at once.
  const onSignal = (signal: string) => {
    forget();
    options.observe({ kind: "store_conversion_interrupted", signal });
    stop.abort();
  };
  const forget = () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, onSignal);
  };
  let loggedAt = Number.NEGATIVE_INFINITY;
  const observe: Observe = (seen) => {
    const now = performance.now();
    if (seen.kind === "store_conversion_progress" && seen.done < seen.total) {
      if (now - loggedAt < progressMs) return;
      loggedAt = now;
    }
    options.observe(seen);
    if (seen.kind !== "store_conversion_started") return;
    options.observe({ kind: "server_not_listening", reason: "the store is being converted" });
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, onSignal);
  };
  try {
    return await openDatabase(store, { ...options, create: true, observe, signal: stop.signal });
  } catch (error) {
    if (stop.signal.aborted && error === stop.signal.reason) return null;
    throw error;
  } finally {
    forget();
  }
}

/** The replica to read pages of lists from, if there is one. It gets as many connections as the store. */
export async function openReplica(
  database: Database,
  { store, replicaUrl }: Pick<Settings, "store" | "replicaUrl">,
  observe: Observe,
): Promise<Replica | null> {
  if (replicaUrl === null || store.engine === "sqlite") return null;
  return Replica.open(database, { url: replicaUrl, poolSize: store.poolSize ?? 10, observe });
}

export async function deviceOfImei(reader: Reader, imei: string): Promise<DeviceKey> {
  const [entry] = await directoryByImei(reader, [imei]);
  if (!entry) throw new Failure("NOT_FOUND", `there is no device with the IMEI ${imei}`);
  return { accountId: entry.account_id, device: entry.device };
}
