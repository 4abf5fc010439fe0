import { constants } from "node:os";
import { knownApiRequests } from "../api/known-requests.ts";
import { createApi } from "../api/server.ts";
import { Failure } from "../domain/errors.ts";
import { createLog } from "../observe/log.ts";
import { createMetrics } from "../observe/metrics.ts";
import type { Observe } from "../observe/observation.ts";
import { portalFiles } from "../portal/bundle.ts";
import { knownPortalRequests } from "../portal/known-requests.ts";
import { createPortal } from "../portal/server.ts";
import type { Database } from "../store/database.ts";
import { openDatabase, type StoreTarget } from "../store/open.ts";
import { ensureFramePartitions } from "../store/postgres/partitions.ts";
import { holdServerLock } from "../store/sqlite/server-lock.ts";
import type { Call } from "./command.ts";
import { startIngestSide } from "./ingest-side.ts";
import { drain, listen, peerOf } from "./listen.ts";
import type { Settings } from "./settings.ts";
import { firstIsGone, isWorker, reportToFirst, startWorkers } from "./workers.ts";

const partitionCheckMs = 6 * 60 * 60 * 1000;

export interface Listening {
  readonly url: string;
  readonly ingestUrl: string;
}

export interface Company {
  /** Called once, when it is ready. */
  readonly announce: (listening: Listening) => void;
  /** Whether the caller holds the data directory's lock already. */
  readonly isLocked?: boolean;
  /** What is to go on while the server runs. Gives the function that ends it. */
  readonly alongside?: (listening: Listening, observe: Observe) => () => Promise<void>;
}

/** Runs the service until it is asked to stop. */
export async function runServer(call: Call, settings: Settings, company: Company): Promise<void> {
  // All of them are read before anything is opened: a wrong one must leave nothing behind.
  const { store, host: hostname, port, ingestPort, workers, retainDays, maxKeysPerUser, mqtt, mapStyle } = settings;
  if (store.engine === "sqlite" && workers > 1) {
    throw new Failure(
      "WRONG_SETTING",
      "--workers (ODOGRAPH_WORKERS): more than one needs PostgreSQL: set DATABASE_URL",
    );
  }
  if (port === ingestPort && port !== 0) {
    throw new Failure("WRONG_SETTING", `--ingest-port: expected another port than --port, got ${port} for both`);
  }
  const metrics = createMetrics(knownApiRequests, knownPortalRequests);
  const log = createLog({ level: settings.logLevel, format: logFormat(settings), write: call.terminal.note });
  const observe: Observe = (observation) => {
    log(observation);
    metrics.observe(observation);
  };
  const closing: (() => Promise<void> | void)[] = [];
  try {
    const { main, counters: ofCounters } = splitPool(store);
    const database = await openDatabase(main, { create: true, observe });
    closing.push(() => database.close());
    if (store.engine === "sqlite" && !company.isLocked) closing.push(holdServerLock(store.directory));
    const counters = await openDatabase(ofCounters, { create: false });
    closing.push(() => counters.close());
    const api = await createApi({ database, counters, observe });
    closing.push(() => api.close());
    const portal = createPortal({ database, api, files: portalFiles, mapStyle, maxKeysPerUser, observe });

    // Listened for from now on: whoever is told that it is ready may stop it at once.
    const stopped = stopSignal();
    const asWorker = isWorker(call.environment);
    const publicSide = listen({
      hostname,
      port,
      flag: "port",
      shared: asWorker || workers > 1,
      requests: "people",
      fetch: (request, server) => {
        const peer = peerOf(request, server);
        return portal.answer(request, peer) ?? api.answer(request, peer);
      },
    });
    const drainPublicSide = once(() => drain(publicSide));
    closing.push(drainPublicSide);
    if (asWorker) {
      closing.push(reportToFirst(metrics));
      await Promise.race([stopped, firstIsGone()]);
      return;
    }

    if (mqtt !== null && mqtt.address.password !== null && call.options.mqtt !== undefined) {
      observe({ kind: "password_in_arguments", flag: "--mqtt", better: "ODOGRAPH_MQTT" });
    }
    if (store.engine === "postgres") closing.push(keepPartitionsAhead(database, observe));
    const others = await startWorkers(workers - 1, settings, publicSide.port ?? port);
    closing.push(() => others.stop());
    const ingestSide = await startIngestSide(
      {
        store: main,
        hostname,
        port: ingestPort,
        retainDays,
        mqtt,
        logLevel: settings.logLevel,
        logFormat: logFormat(settings),
      },
      call.terminal.note,
      () => [metrics.snapshot(), ...others.snapshots()],
    );
    closing.push(() => ingestSide.stop());

    const { origin: url } = publicSide.url;
    const listening = { url, ingestUrl: ingestSide.url };
    company.announce(listening);
    observe({ kind: "server_listening", ...listening, engine: database.engine });
    if (company.alongside) closing.push(company.alongside(listening, observe));
    observe({ kind: "server_draining", signal: await Promise.race([stopped, others.lost, ingestSide.lost]) });
    // From now on nobody is let in, however long the ingest side takes to finish what it has begun.
    drainPublicSide();
  } finally {
    // In the reverse order: nobody asks any more before what they ask is closed.
    for (const close of closing.reverse()) await close();
  }
  observe({ kind: "server_stopped" });
}

/** Whoever asks first has it done; the others wait for the same. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}

/** The limiter's counters need not wait for the disk. On PostgreSQL they get a third of the connections for themselves. */
function splitPool(store: StoreTarget): { readonly main: StoreTarget; readonly counters: StoreTarget } {
  if (store.engine === "sqlite") return { main: store, counters: { ...store, relaxedCommits: true } };
  const poolSize = store.poolSize ?? 10;
  const forCounters = Math.max(1, Math.floor(poolSize / 3));
  return {
    main: { ...store, poolSize: Math.max(1, poolSize - forCounters) },
    counters: { ...store, poolSize: forCounters, relaxedCommits: true },
  };
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

function logFormat({ logFormat }: Settings): "json" | "human" {
  if (logFormat !== "auto") return logFormat;
  return process.stderr.isTTY ? "human" : "json";
}

/** One Ctrl-C may arrive twice: from the terminal, and handed down by npm. */
const sameSignalMs = 1_000;

/** Resolves at the first request to stop. A second one ends the process at once. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        const now = performance.now();
        if (firstAt !== null && now - firstAt > sameSignalMs) process.exit(128 + constants.signals[signal]);
        firstAt ??= now;
        resolve(signal);
      });
    }
  });
}
