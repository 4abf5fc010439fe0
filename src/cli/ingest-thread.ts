import { type ErrorCode, Failure } from "../domain/errors.ts";
import { knownIngestRequests } from "../intake/known-requests.ts";
import { maxBodyBytes } from "../intake/messages.ts";
import { startIngest } from "../intake/service.ts";
import type { ServedTrackers } from "../intake/trackers/thread/serve-trackers.ts";
import { type MetricsSnapshot, renderMetrics } from "../observe/metrics.ts";
import { repeat } from "../observe/repeat.ts";
import { startObserving } from "../observe/start-observing.ts";
import { type AccountCharges, addCharges, type KeyCharges } from "../store/access/key-counters.ts";
import type { Database } from "../store/database.ts";
import { measureStore } from "../store/measure.ts";
import { NodeClock } from "../store/node-clock.ts";
import { openDatabase } from "../store/open.ts";
import { KnownTime } from "../store/sqlite/known-time.ts";
import { once } from "./serving/ending.ts";
import { drain, listen, peerOf } from "./serving/listen.ts";
import type { Settings } from "./settings/settings.ts";

type OfServer = "store" | "retainDays" | "trustsClock" | "dataDirectory" | "mqtt" | "trackers" | "tracing" | "logLevel";

export interface IngestSettings extends Pick<Settings, OfServer> {
  readonly hostname: string;
  readonly port: number;
  /** When an embedded store was last used before this start; null: it was not there. */
  readonly lastUsedAt: number | null;
  readonly logFormat: "json" | "human";
}

/** From the server to its ingest thread. */
export type ToIngest =
  | { readonly kind: "start"; readonly settings: IngestSettings }
  | { readonly kind: "metrics"; readonly snapshots: readonly MetricsSnapshot[] }
  /** Counts of the API, to be stored with the next commit. Each is answered by `charges_saved` or `charges_lost`, in order. */
  | { readonly kind: "charges"; readonly keys: readonly KeyCharges[]; readonly accounts: readonly AccountCharges[] }
  /** Frames are still received, but senders and the balancer are asked to go elsewhere. */
  | { readonly kind: "drain" }
  | { readonly kind: "stop" };

/** And back. */
export type FromIngest =
  | { readonly kind: "listening"; readonly url: string; readonly trackerPorts: Readonly<Record<string, number>> }
  | { readonly kind: "failed"; readonly code: ErrorCode | null; readonly message: string }
  | { readonly kind: "log"; readonly line: string }
  /** Asks for the counts of the rest of the node. */
  | { readonly kind: "metrics_wanted" }
  | { readonly kind: "charges_saved" }
  | { readonly kind: "charges_lost"; readonly code: ErrorCode | null; readonly message: string }
  | { readonly kind: "stopped" };

/**
 * The ingest side of a server, in its own thread: the API must not wait for frames being derived, or for the disk. It
 * shares only the store with the rest.
 */
declare const self: Worker;

/** Prometheus asks more often, and a store grows slowly. */
const measureEveryMs = 60_000;

const send = (message: FromIngest) => self.postMessage(message);
const draining = Promise.withResolvers<void>();
const stop = Promise.withResolvers<void>();
let isDraining = false;
/** The one request under way. A second one waits for the same answer. */
let metricsWanted: PromiseWithResolvers<readonly MetricsSnapshot[]> | null = null;
/** Null before it is opened and once it is being closed. */
let store: Database | null = null;

self.onmessage = ({ data }: MessageEvent<ToIngest>) => {
  switch (data.kind) {
    case "start":
      runIngestSide(data.settings).catch((error) => send(failed(error)));
      break;
    case "metrics":
      metricsWanted?.resolve(data.snapshots);
      metricsWanted = null;
      break;
    case "charges":
      saveCharges(data);
      break;
    case "drain":
      isDraining = true;
      draining.resolve();
      break;
    case "stop":
      stop.resolve();
      break;
  }
};

async function runIngestSide(settings: IngestSettings): Promise<void> {
  const { logLevel: level, logFormat: format, tracing: traced } = settings;
  const log = { level, format, write: (line: string) => send({ kind: "log", line }) };
  const observing = await startObserving({ log, tracing: traced, known: [knownIngestRequests] });
  const { observe, metrics, tracing } = observing;
  const closing: (() => Promise<void> | void)[] = [observing.close];
  try {
    const database = await openDatabase(settings.store, { create: false, observe });
    closing.push(() => database.close());
    store = database;
    closing.push(() => {
      store = null;
    });
    const { store: target, lastUsedAt, trustsClock } = settings;
    // Believed from the start, if the operator has checked it.
    const known = target.engine === "sqlite" ? new KnownTime(target.directory, trustsClock ? null : lastUsedAt) : null;
    const clock = new NodeClock(database, observe, known);
    // No frame is received by a clock that may be wrong.
    await clock.compare();
    closing.push(clock.keepComparing());
    const place = { store: target, dataDirectory: settings.dataDirectory };
    const measure = async () => observe({ kind: "store_measured", ...(await measureStore(database, place)) });
    closing.push(repeat("size of the store", measureEveryMs, observe, measure));
    let listening: ServedTrackers | null = null;
    const service = startIngest({
      database,
      observe,
      retainDays: settings.retainDays,
      trustsClock,
      now: clock.now,
      clockDoubtMs: clock.doubtMs,
      clockWatchedSince: clock.watchedSince,
      isDraining: () => isDraining,
      metrics: async () => {
        const { trackers, isLeading } = service;
        const own = {
          ...metrics.snapshot(),
          isLeading: isLeading(),
          trackerFaults: trackers.counts,
          residentBytes: 0,
        };
        const ofTrackers = listening?.counted() ?? null;
        return renderMetrics([own, ...(ofTrackers === null ? [] : [ofTrackers]), ...(await otherMetrics())]);
      },
    });
    closing.push(() => service.close());
    if (settings.mqtt !== null) {
      // The client is large, and most servers have no broker.
      const { consumeFromBroker } = await import("../intake/mqtt/consumer.ts");
      const { writer, unknownDevices } = service;
      const consumer = consumeFromBroker({
        settings: settings.mqtt,
        database,
        writer,
        unknownDevices,
        now: clock.now,
        observe,
      });
      const leave = once(() => consumer.close());
      closing.push(leave);
      // What is not acknowledged by then, the broker gives to the others that share the subscription, or keeps for us.
      draining.promise.then(leave);
    }
    if (settings.trackers !== null) {
      const { writer, unknownDevices } = service;
      const { serveTrackers } = await import("../intake/trackers/thread/serve-trackers.ts");
      // The compiled program contains its file, too (scripts/bundled-packages.ts names it).
      const thread = new Worker(new URL("./tracker-thread.ts", import.meta.url).href, { smol: true });
      listening = await serveTrackers({
        thread,
        settings: settings.trackers,
        database,
        writer,
        unknownDevices,
        clock,
        observe,
        log,
      });
      const { close, drain } = listening;
      closing.push(close);
      draining.promise.then(drain);
    }
    const { hostname, port } = settings;
    const server = listen({
      hostname,
      port,
      flag: "ingest-port",
      shared: false,
      side: "ingest side",
      maxBodyBytes,
      observe,
      tracing,
      isDraining: () => isDraining,
      fetch: (request, server) => service.answer(request, peerOf(request, server)),
    });
    closing.push(() => drain(server));
    send({ kind: "listening", url: server.url.origin, trackerPorts: listening?.ports ?? {} });
    await Promise.race(listening === null ? [stop.promise] : [stop.promise, listening.lost]);
  } finally {
    // In reverse order: senders end before what they send to is closed.
    for (const close of closing.reverse()) await close();
  }
  send({ kind: "stopped" });
}

/** In the queue of the one writer, so they are stored together with frames. */
let lastSaved: Promise<void> = Promise.resolve();

function saveCharges({ keys, accounts }: Extract<ToIngest, { kind: "charges" }>): void {
  const saving = store?.transaction((tx) => addCharges(tx, keys, accounts)) ?? Promise.reject(new Error("not started"));
  const before = lastSaved;
  lastSaved = saving.then(
    () => before.then(() => send({ kind: "charges_saved" })),
    (error) => before.then(() => send({ ...reasonOf(error), kind: "charges_lost" })),
  );
}

function otherMetrics(): Promise<readonly MetricsSnapshot[]> {
  if (metricsWanted === null) {
    metricsWanted = Promise.withResolvers();
    send({ kind: "metrics_wanted" });
  }
  return metricsWanted.promise;
}

function failed(error: unknown): FromIngest {
  return { kind: "failed", ...reasonOf(error) };
}

function reasonOf(error: unknown): { readonly code: ErrorCode | null; readonly message: string } {
  const message = error instanceof Error ? error.message : String(error);
  return { code: error instanceof Failure ? error.code : null, message };
}
