import type { Metrics, MetricsSnapshot } from "../observe/metrics.ts";
import type { Settings } from "./settings.ts";

/**
 * `serve --workers N`: the first process starts the others, which answer the API on the same port and nothing else. Each
 * tells the first what it has counted, so that one page of metrics covers them all.
 */

/** Tells a process that it is one of the others. */
const workerVariable = "ODOGRAPH_STARTED_AS_WORKER";
const reportMs = 1_000;

type Message = { readonly kind: "ready" } | { readonly kind: "metrics"; readonly snapshot: MetricsSnapshot };

export interface Workers {
  /** What the others have counted, as of about a second ago. */
  snapshots(): MetricsSnapshot[];
  /** Rejects when one of them ends unasked: better to be started anew as a whole than to limp. */
  readonly lost: Promise<never>;
  stop(): Promise<void>;
}

/** Only a process that the first one has started can speak to it. */
export function isWorker(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment[workerVariable] !== undefined && process.send !== undefined;
}

/** Starts the others and waits until all of them listen. */
export async function startWorkers(count: number, settings: Settings, port: number): Promise<Workers> {
  const lost = Promise.withResolvers<never>();
  // Nobody may be waiting yet when the first one is lost.
  lost.promise.catch(() => {});
  let isStopping = false;
  const workers = Array.from({ length: count }, () => {
    const ready = Promise.withResolvers<void>();
    const state: { snapshot: MetricsSnapshot | null } = { snapshot: null };
    const child = Bun.spawn(workerCommand(settings, port), {
      env: { ...process.env, [workerVariable]: "1" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
      ipc(message: Message) {
        if (message.kind === "ready") ready.resolve();
        else state.snapshot = message.snapshot;
      },
      onExit(_, code) {
        if (isStopping) return;
        const error = new Error(`a worker ended with exit code ${code}`);
        ready.reject(error);
        lost.reject(error);
      },
    });
    return { child, ready: ready.promise, state };
  });
  const stop = async () => {
    isStopping = true;
    for (const { child } of workers) child.kill("SIGTERM");
    await Promise.all(workers.map(({ child }) => child.exited));
  };
  try {
    await Promise.all(workers.map(({ ready }) => ready));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    snapshots: () => workers.flatMap(({ state }) => state.snapshot ?? []),
    lost: lost.promise,
    stop,
  };
}

/** The same program with the port that the first process got. */
function workerCommand(settings: Settings, port: number): string[] {
  const flags = {
    host: settings.host,
    port,
    "max-keys-per-user": settings.maxKeysPerUser,
    "log-level": settings.logLevel,
    "log-format": settings.logFormat,
  };
  const words = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)]);
  if (settings.mapStyle !== null) words.push("--map-style", settings.mapStyle);
  // A program that was compiled into one file is its own runtime.
  const program = Bun.isStandaloneExecutable ? [] : [...process.execArgv, Bun.main];
  return [process.execPath, ...program, "serve", ...words];
}

/** In a worker: tells the first process that it listens, and from then on what it has counted. */
export function reportToFirst(metrics: Metrics): () => void {
  const send = (message: Message) => void process.send?.(message);
  send({ kind: "ready" });
  const timer = setInterval(() => send({ kind: "metrics", snapshot: metrics.snapshot() }), reportMs);
  return () => {
    clearInterval(timer);
    // An open channel would keep the process from ending.
    process.disconnect?.();
  };
}

/** In a worker: resolves when the first process is gone, however it ended. */
export function firstIsGone(): Promise<string> {
  return new Promise((resolve) => process.once("disconnect", () => resolve("the first process is gone")));
}
