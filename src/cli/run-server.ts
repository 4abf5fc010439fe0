import { constants } from "node:os";
import { type SaveCharges, saveHere } from "../access/embedded-limiter.ts";
import { knownApiRequests } from "../api/known-requests.ts";
import { createApi } from "../api/server.ts";
import type { BrokerSettings } from "../intake/mqtt/broker-settings.ts";
import { boundRefusals } from "../observe/bound-refusals.ts";
import { createLog } from "../observe/log.ts";
import { createMetrics } from "../observe/metrics.ts";
import type { Observe } from "../observe/observation.ts";
import { portalFiles } from "../portal/bundle.ts";
import type { IngestPlace } from "../portal/ingest-address.ts";
import { knownPortalRequests } from "../portal/known-requests.ts";
import { maxBodyBytes } from "../portal/request.ts";
import { createPortal } from "../portal/server.ts";
import { MapTiles } from "../portal/tiles/map-tiles.ts";
import type { Database } from "../store/database.ts";
import { openDatabase, type StoreTarget } from "../store/open.ts";
import { holdServerLock } from "../store/sqlite/server-lock.ts";
import type { Call } from "./command.ts";
import { Ending, endMs } from "./ending.ts";
import { type IngestSide, startIngestSide } from "./ingest-side.ts";
import { drain, listen, peerOf, requireFreePort, stayOpenOf } from "./listen.ts";
import { openForServer } from "./open-store.ts";
import { requireServable, type Settings } from "./settings.ts";
import { firstIsGone, isWorker, leaveFirst, portFromFirst, reportToFirst, startWorkers } from "./workers.ts";

export interface Listening {
  readonly url: string;
  readonly ingestUrl: string;
}

export interface ServerHooks {
  /** Called once, when it is ready. */
  readonly announce: (listening: Listening) => void;
  /** Called after that, with the store. Returns the function that ends what it began. */
  readonly afterStart?: (listening: Listening, database: Database, observe: Observe) => Promise<() => Promise<void>>;
  /** Whether the caller holds the data directory's lock already. */
  readonly isLocked?: boolean;
  /** What should run beside the server. Returns the function that ends it. */
  readonly alongside?: (listening: Listening, observe: Observe) => () => Promise<void>;
}

/** Runs the service until it is asked to stop. */
export async function runServer(call: Call, settings: Settings, hooks: ServerHooks): Promise<void> {
  // All settings are read before anything is opened: a wrong one must leave nothing behind.
  const { store, host: hostname, port, ingestPort, workers, retainDays, maxKeysPerUser, mqtt } = settings;
  const { mapStyle, mapStyleDark, mapTiles: tilesPath, geocoder, ingestUrl, mail, publicUrl, openId } = settings;
  requireServable(settings);
  const metrics = createMetrics(knownApiRequests, knownPortalRequests);
  const log = createLog({ level: settings.logLevel, format: logFormat(settings), write: call.terminal.note });
  const { observe, close: closeLog } = boundRefusals(log, metrics.observe);
  const asWorker = isWorker(call.environment);
  const ending = new Ending(observe, asWorker ? endMs.worker : endMs.first);
  ending.add("log", closeLog);
  try {
    const { main, counters: ofCounters } = splitPool(store);
    const database = await openForServer(main, { isServer: hooks.isLocked ?? false, observe });
    if (database === null) {
      observe({ kind: "server_stopped" });
      return;
    }
    ending.add("store", () => database.close());
    if (store.engine === "sqlite" && !hooks.isLocked) ending.add("lock", holdServerLock(store.directory));
    const counters = ofCounters ? await openDatabase(ofCounters, { create: false }) : database;
    if (counters !== database) ending.add("store of the counters", () => counters.close());
    let writer: IngestSide | null = null;
    const saveCharges: SaveCharges = (...charges) => writer?.saveCharges(...charges) ?? saveHere(database, ...charges);
    const api = await createApi({ database, counters, saveCharges, observe });
    ending.add("counters", () => api.close());
    // One process reports what is wrong with the tiles; all of them read the same files.
    const mapTiles = tilesPath === null ? null : new MapTiles(tilesPath, asWorker ? () => {} : observe);
    if (mapTiles) {
      ending.add("map tiles", () => mapTiles.close());
      await mapTiles.describe();
    }
    let ingest: IngestPlace | null = null;
    const mapStyles = { light: mapStyle, dark: mapStyleDark };
    const portal = createPortal({
      database,
      api,
      files: portalFiles,
      mapStyles,
      mapTiles,
      geocoder,
      mail,
      publicUrl,
      openId,
      maxKeysPerUser,
      ingest: () => ingest,
      observe,
    });

    // From now on, because it may be stopped as soon as it has reported that it is ready.
    const stopped = stopSignal();
    stopped.then(() => ending.begin());
    const listenToPublic = (port: number) => {
      const server = listen({
        hostname,
        port,
        flag: "port",
        shared: asWorker || workers > 1,
        side: "public side",
        maxBodyBytes,
        observe,
        fetch: (request, server) => {
          const peer = peerOf(request, server);
          return portal.answer(request, peer, stayOpenOf(request, server)) ?? api.answer(request, peer);
        },
      });
      const drainIt = once(() => drain(server));
      ending.add("public side", drainIt);
      return { server, drain: drainIt };
    };
    if (asWorker) {
      ending.add("channel to the first process", leaveFirst);
      const ended = Promise.race([stopped, firstIsGone()]);
      const given = await Promise.race([portFromFirst(), ended]);
      if (typeof given === "string") return;
      ingest = given.ingest;
      listenToPublic(given.port);
      ending.add("report", reportToFirst(metrics));
      await ended;
      return;
    }

    if (mqtt !== null && mqtt.address.password !== null && call.options.mqtt !== undefined) {
      observe({ kind: "password_in_arguments", flag: "--mqtt", better: "ODOGRAPH_MQTT" });
    }
    if (geocoder !== null && new URL(geocoder.url).password !== "" && call.options.geocoder !== undefined) {
      observe({ kind: "password_in_arguments", flag: "--geocoder", better: "ODOGRAPH_GEOCODER" });
    }
    // The port is opened last, so that nobody is answered before everything is ready. Whether it is free is checked now.
    requireFreePort(hostname, port, "port");
    const others = await startWorkers(workers - 1, settings);
    const stopOthers = once(() => others.stop());
    ending.add("workers", stopOthers);
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
    writer = ingestSide;
    ingest = ingestPlace(ingestUrl, ingestSide.url, mqtt);
    ending.add("ingest side", () => {
      writer = null;
      return ingestSide.stop();
    });
    const publicSide = listenToPublic(port);
    await others.listen(publicSide.server.port ?? port, ingest);

    const { origin: url } = publicSide.server.url;
    const listening = { url, ingestUrl: ingestSide.url };
    hooks.announce(listening);
    observe({ kind: "server_listening", ...listening, engine: database.engine });
    if (hooks.afterStart) ending.add("first run", await hooks.afterStart(listening, database, observe));
    if (hooks.alongside) ending.add("demo", hooks.alongside(listening, observe));
    observe({ kind: "server_draining", signal: await Promise.race([stopped, others.lost, ingestSide.lost]) });
    // From now on no request is accepted, however long the ingest side takes to finish.
    publicSide.drain();
    stopOthers();
  } finally {
    await ending.closeAll();
  }
  observe({ kind: "server_stopped" });
}

/** What people are told: never how this server signs in to the broker. */
function ingestPlace(url: string | null, listening: string, mqtt: BrokerSettings | null): IngestPlace {
  const broker = mqtt && {
    host: mqtt.address.host,
    port: mqtt.address.port,
    is_tls: mqtt.address.protocol === "mqtts",
    topics: mqtt.topics,
  };
  // The address names no port if it is that of http.
  return { url, port: Number(new URL(listening).port || 80), mqtt: broker };
}

/** Runs the work once; later calls wait for the same. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}

/** The limiter's counters need not wait for PostgreSQL's disk, so they get a third of the connections for themselves. */
function splitPool(store: StoreTarget): { readonly main: StoreTarget; readonly counters: StoreTarget | null } {
  if (store.engine === "sqlite") return { main: store, counters: null };
  const poolSize = store.poolSize ?? 10;
  const forCounters = Math.max(1, Math.floor(poolSize / 3));
  return {
    main: { ...store, poolSize: Math.max(1, poolSize - forCounters) },
    counters: { ...store, poolSize: forCounters, relaxedCommits: true },
  };
}

function logFormat({ logFormat }: Settings): "json" | "human" {
  if (logFormat !== "auto") return logFormat;
  return process.stderr.isTTY ? "human" : "json";
}

/** One Ctrl-C may arrive twice: from the terminal and from npm. */
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
