import { createApi } from "../api/server.ts";
import { Failure } from "../domain/errors.ts";
import { answerIngest } from "../ingest/port.ts";
import { createLog } from "../observe/log.ts";
import { createMetrics } from "../observe/metrics.ts";
import type { Observe } from "../observe/observation.ts";
import type { Database } from "../store/database.ts";
import { openDatabase, type StoreTarget } from "../store/open.ts";
import { ensureFramePartitions } from "../store/postgres/partitions.ts";
import { holdServerLock } from "../store/sqlite/server-lock.ts";
import type { Call, Command } from "./command.ts";
import type { Settings } from "./settings.ts";

/** A sender that dribbles and a connection that only idles are let go after this. */
const idleSeconds = 30;
/** Reads have no body to speak of. */
const mostBodyBytes = 64 * 1024;
const drainMs = 10_000;
const partitionCheckMs = 6 * 60 * 60 * 1000;

export const serveCommand: Command = {
  name: "serve",
  summary: "run the service",
  details: [
    "Serves the API under /v1, and on the ingest port /ready and /metrics. Prints `listening URL` when it is ready.",
    "SIGTERM or Ctrl-C lets the requests under way finish and ends it.",
  ].join("\n"),
  actions: [
    {
      name: null,
      arguments: [],
      summary: "run the service",
      options: [],
      settings: ["port", "ingestPort", "host", "logLevel", "logFormat"],
      run: serve,
    },
  ],
};

async function serve(call: Call): Promise<void> {
  const settings = call.settings();
  const metrics = createMetrics();
  const log = createLog({ level: settings.logLevel, format: logFormat(settings), write: call.terminal.note });
  const observe: Observe = (observation) => {
    log(observation);
    metrics.observe(observation);
  };
  const { store } = settings;
  const closing: (() => Promise<void> | void)[] = [];
  try {
    const database = await openDatabase(store, { create: true, observe });
    closing.push(() => database.close());
    if (store.engine === "sqlite") closing.push(holdServerLock(store.directory));
    else closing.push(keepPartitionsAhead(database, observe));
    const counters = await openCounters(store, database);
    if (counters !== database) closing.push(() => counters.close());
    const api = await createApi({ database, counters, observe });
    closing.push(() => api.close());

    const publicSide = listen(settings.host, settings.port, "port", (request, server) =>
      api.answer(request, server.requestIP(request)?.address ?? "unknown"),
    );
    closing.push(() => drain(publicSide));
    const ingestSide = listen(settings.host, settings.ingestPort, "ingest-port", answerIngest(database, metrics));
    closing.push(() => drain(ingestSide));

    const { origin: url } = publicSide.url;
    call.terminal.out(`listening ${url}`);
    observe({ kind: "server_listening", url, ingestUrl: ingestSide.url.origin, engine: database.engine });
    observe({ kind: "server_draining", signal: await stopSignal() });
  } finally {
    // In the reverse order: nobody asks any more before what they ask is closed.
    for (const close of closing.reverse()) await close();
  }
  observe({ kind: "server_stopped" });
}

/** The limiter's counters need not wait for PostgreSQL's disk, so they get connections of their own. */
async function openCounters(store: StoreTarget, database: Database): Promise<Database> {
  if (store.engine === "sqlite") return database;
  return openDatabase({ ...store, relaxedCommits: true }, { create: false });
}

/** A node that runs for months makes the months to come. Gives the function that stops it. */
function keepPartitionsAhead(database: Database, observe: Observe): () => void {
  const timer = setInterval(async () => {
    try {
      const count = await ensureFramePartitions(database, Date.now());
      if (count > 0) observe({ kind: "partitions_made", count });
    } catch (cause) {
      observe({ kind: "maintenance_failed", task: "partitions", cause });
    }
  }, partitionCheckMs);
  return () => clearInterval(timer);
}

/** Requests under way may finish; a connection that only idles, or one that never ends, does not hold the exit. */
async function drain(server: Bun.Server<undefined>): Promise<void> {
  const drained = server.stop();
  const timer = setTimeout(() => server.stop(true), drainMs);
  await drained;
  clearTimeout(timer);
}

function listen(
  hostname: string,
  port: number,
  flag: string,
  fetch: (request: Request, server: Bun.Server<undefined>) => Promise<Response>,
): Bun.Server<undefined> {
  try {
    return Bun.serve({ hostname, port, fetch, idleTimeout: idleSeconds, maxRequestBodySize: mostBodyBytes });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reason = code === "EADDRINUSE" ? "is taken by another program" : `cannot be used (${code})`;
    throw new Failure("PORT_UNAVAILABLE", `${hostname}:${port} ${reason}; choose another with --${flag}`, {
      cause: error,
    });
  }
}

function logFormat({ logFormat }: Settings): "json" | "human" {
  if (logFormat !== "auto") return logFormat;
  return process.stderr.isTTY ? "human" : "json";
}

/** Resolves at the first request to stop. A second one ends the process at once, as it does by default. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  });
}
