import type { Metrics, MetricsSnapshot } from "../../observe/metrics.ts";
import type { IngestPlace } from "../../portal/ingest-address.ts";
import type { CommandCall } from "../common/command.ts";
import { settingNames, settingsTable } from "../settings/settings-table.ts";

/**
 * `serve --workers N`: the first process starts the others, which answer the API on the same port and do nothing else. They
 * listen when the first one signals that everything is ready. Each reports its counts to the first, so that one page of
 * metrics covers them all.
 */

const workerVariable = "ODOGRAPH_STARTED_AS_WORKER";
const reportMs = 1_000;

type FromWorker =
  | { readonly kind: "prepared" }
  | { readonly kind: "listening" }
  | { readonly kind: "metrics"; readonly snapshot: MetricsSnapshot };

interface ListenMessage {
  readonly kind: "listen";
  readonly port: number;
  readonly ingest: IngestPlace;
}

type ToWorker = ListenMessage | { readonly kind: "end" };

export interface ServingWorkers {
  /** Makes all of them listen, and waits until they do. */
  listen(port: number, ingest: IngestPlace): Promise<void>;
  /** The counts of the others, about a second old. */
  snapshots(): MetricsSnapshot[];
  /** Rejects when one of them ends unexpectedly: a restart of all is better than running with fewer. */
  readonly lost: Promise<never>;
  /** From now on they ask their clients to go elsewhere. */
  drain(): void;
  stop(): Promise<void>;
}

/** Only a process started by the first one has a channel to it. */
export function isWorker(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment[workerVariable] !== undefined && process.send !== undefined;
}

/** Starts the others and waits until all of them are ready to listen. One that does not end within `killMs` is killed. */
export async function startWorkers(
  count: number,
  flags: CommandCall["options"],
  killMs: number,
): Promise<ServingWorkers> {
  const lost = Promise.withResolvers<never>();
  // Nobody may be waiting yet when the first one is lost.
  lost.promise.catch(() => {});
  let isStopping = false;
  // A program that was compiled into one file is its own runtime.
  const program = Bun.isStandaloneExecutable ? [] : [...process.execArgv, Bun.main];
  const workers = Array.from({ length: count }, () => {
    const prepared = Promise.withResolvers<void>();
    const listening = Promise.withResolvers<void>();
    const state: { snapshot: MetricsSnapshot | null } = { snapshot: null };
    const child = Bun.spawn([process.execPath, ...program, "serve"], {
      env: workerEnvironment(flags),
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
      ipc(message: FromWorker) {
        if (message.kind === "prepared") prepared.resolve();
        else if (message.kind === "listening") listening.resolve();
        else state.snapshot = message.snapshot;
      },
      onExit(_, code) {
        if (!isStopping) lost.reject(new Error(`a worker ended with exit code ${code}`));
      },
    });
    return { child, prepared: prepared.promise, listening: listening.promise, state };
  });
  const signalAll = (signal: "SIGTERM" | "SIGKILL") => {
    for (const { child } of workers) child.kill(signal);
  };
  const drain = () => {
    if (!isStopping) signalAll("SIGTERM");
    isStopping = true;
  };
  const stop = async () => {
    drain();
    for (const { child } of workers) {
      // There is no channel to one that has ended.
      if (!child.killed) child.send({ kind: "end" } satisfies ToWorker);
    }
    const timer = setTimeout(signalAll, killMs, "SIGKILL");
    await Promise.all(workers.map(({ child }) => child.exited));
    clearTimeout(timer);
  };
  try {
    await Promise.race([Promise.all(workers.map(({ prepared }) => prepared)), lost.promise]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async listen(port, ingest) {
      for (const { child } of workers) child.send({ kind: "listen", port, ingest } satisfies ToWorker);
      await Promise.race([Promise.all(workers.map(({ listening }) => listening)), lost.promise]);
    },
    snapshots: () => workers.flatMap(({ state }) => state.snapshot ?? []),
    lost: lost.promise,
    drain,
    stop,
  };
}

/** All settings as variables, since an address may hold a password. The port is sent later: the first process may not know it yet. */
function workerEnvironment(flags: CommandCall["options"]): NodeJS.ProcessEnv {
  const given = settingNames.map((name) => {
    const { flag, environment } = settingsTable[name];
    return [environment, flag === null ? undefined : flags[flag]];
  });
  const set = given.filter(([, text]) => text !== undefined);
  return { ...process.env, ...Object.fromEntries(set), ODOGRAPH_PORT: "0", [workerVariable]: "1" };
}

function report(message: FromWorker): void {
  process.send?.(message);
}

/** In a worker that is ready: the port, as soon as it may listen, and what people may know of the port for trackers. */
export function portFromFirst(): Promise<Pick<ListenMessage, "port" | "ingest">> {
  const { promise, resolve } = Promise.withResolvers<ListenMessage>();
  process.on("message", (message: ToWorker) => {
    if (message.kind === "listen") resolve(message);
  });
  report({ kind: "prepared" });
  return promise;
}

/** In a worker that drains: resolves when the first process says that it is time to end. */
export function endFromFirst(): Promise<void> {
  return new Promise((resolve) => {
    process.on("message", (message: ToWorker) => {
      if (message.kind === "end") resolve();
    });
  });
}

/** In a worker that listens: reports that, and its counts from then on. Returns the function that stops it. */
export function reportToFirst(metrics: Metrics): () => void {
  report({ kind: "listening" });
  const timer = setInterval(() => report({ kind: "metrics", snapshot: metrics.snapshot() }), reportMs);
  return () => clearInterval(timer);
}

/** In a worker: an open channel would keep the process from ending. */
export function leaveFirst(): void {
  process.disconnect?.();
}

/** In a worker: resolves when the first process is gone, however it ended. */
export function firstIsGone(): Promise<string> {
  return new Promise((resolve) => process.once("disconnect", () => resolve("the first process is gone")));
}
