import { constants } from "node:os";
import { join } from "node:path";
import { type SaveCharges, saveHere } from "../../access/embedded-limiter.ts";
import { knownApiRequests } from "../../api/known-requests.ts";
import { createApi } from "../../api/server.ts";
import { twoHosts } from "../../http/border.ts";
import type { BrokerSettings } from "../../intake/mqtt/broker-settings.ts";
import type { LogLevel, Observe } from "../../observe/observation.ts";
import { startObserving } from "../../observe/start-observing.ts";
import type { DemoHistory } from "../../portal/both-sides/contract/session.ts";
import { portalFiles } from "../../portal/bundle.ts";
import { Geocoder } from "../../portal/geocoder/geocoder.ts";
import { PlaceNames } from "../../portal/geocoder/place-names.ts";
import type { IngestPlace } from "../../portal/ingest-address.ts";
import { knownPortalRequests } from "../../portal/known-requests.ts";
import type { MailSettings } from "../../portal/mail/mail.ts";
import { startNotifier } from "../../portal/notifications/notifier.ts";
import { startReportMailer } from "../../portal/planned-reports/report-mailer.ts";
import { maxPortalBodyBytes } from "../../portal/request.ts";
import { createPortal } from "../../portal/server.ts";
import { MapTiles } from "../../portal/tiles/map-tiles.ts";
import { UploadedStreets } from "../../portal/tiles/uploaded-streets.ts";
import type { Database } from "../../store/database.ts";
import { NodeClock } from "../../store/node-clock.ts";
import { openDatabase, type StoreTarget } from "../../store/open.ts";
import { lastUsedAt } from "../../store/sqlite/known-time.ts";
import { holdServerLock } from "../../store/sqlite/server-lock.ts";
import type { CommandCall } from "../common/command.ts";
import { type IngestSide, startIngestSide } from "../ingest-side.ts";
import { requireServable, type Settings } from "../settings/settings.ts";
import { openForServer, openReplica } from "../store/open-store.ts";
import { serverOriginOf } from "./address-here.ts";
import { drainTime, Ending, endLimits, once } from "./ending.ts";
import { drain, listen, peerOf, requireFreePort, stayOpenOf } from "./listen.ts";
import {
  endFromFirst,
  firstIsGone,
  isWorker,
  leaveFirst,
  portFromFirst,
  reportToFirst,
  startWorkers,
} from "./workers.ts";

export interface Listening {
  readonly url: string;
  readonly ingestUrl: string;
  /** By family: the ports on which trackers are listened to. */
  readonly trackerPorts: Readonly<Record<string, number>>;
}

export interface ServerHooks {
  /** Called once, when it is ready. */
  readonly announce: (listening: Listening) => void;
  /** Called after that, with the store. Returns the function that ends what it began. */
  readonly afterStart?: (
    listening: Listening,
    database: Database,
    observe: Observe,
    startMailing: StartMailing | null,
  ) => Promise<() => Promise<void>>;
  /** Whether the caller holds the data directory's lock already. */
  readonly isLocked?: boolean;
  /** Unless it is that of the settings. */
  readonly ingestLogLevel?: LogLevel;
  /** Of a demo: how much of its history is there. */
  readonly demoHistory?: () => DemoHistory | null;
  /** Whether an owner may have a fleet to look at made beside their own. */
  readonly makesDemos?: boolean;
  /** What should run beside the server. Returns the function that ends it. */
  readonly alongside?: (listening: Listening, observe: Observe) => () => Promise<void>;
}

/** Begins to mail what is due. Null: that has begun. */
export type StartMailing = (by: MailSettings) => readonly (() => Promise<void>)[];

/** Runs the service until it is asked to stop. */
export async function runServer(call: CommandCall, settings: Settings, hooks: ServerHooks): Promise<void> {
  // All settings are read before anything is opened: a wrong one must leave nothing behind.
  const { store, host: hostname, port, ingestPort, workers, retainDays, maxKeysPerUser, mqtt } = settings;
  const { mapStyle, mapStyleDark, mapTiles: tilesPath, geocoder, ingestUrl, mail, publicUrl, openId } = settings;
  const { trustsClock, dataDirectory, trackers } = settings;
  requireServable(settings);
  const log = { level: settings.logLevel, format: logFormat(settings), write: call.terminal.note };
  const { tracing: traced } = settings;
  const observing = await startObserving({ log, tracing: traced, known: [knownApiRequests, knownPortalRequests] });
  const { observe, metrics, tracing } = observing;
  const asWorker = isWorker(call.environment);
  const drainMs = drainTime(settings.drainSeconds, store.engine);
  const limits = endLimits(drainMs);
  const ending = new Ending(observe, asWorker ? limits.worker : limits.first);
  let isDraining = false;
  ending.add("log and traces", observing.close);
  try {
    const { main, counters: ofCounters } = splitPool(store);
    const usedAt = store.engine === "sqlite" ? lastUsedAt(store.directory) : null;
    const database = await openForServer(main, { isServer: hooks.isLocked ?? false, observe });
    if (database === null) {
      observe({ kind: "server_stopped" });
      return;
    }
    ending.add("store", () => database.close());
    if (store.engine === "sqlite" && !hooks.isLocked) ending.add("lock", holdServerLock(store.directory));
    const counters = ofCounters ? await openDatabase(ofCounters, { create: false, observe }) : database;
    if (counters !== database) ending.add("store of the counters", () => counters.close());
    const replica = await openReplica(database, settings, observe);
    if (replica) ending.add("replica", () => replica.close());
    // The ingest side compares them as well, and warns.
    const clock = new NodeClock(database, () => {});
    await clock.compare();
    const endComparing = clock.keepComparing();
    // Not waited for: a silent store must not delay the exit.
    ending.add("clock", () => void endComparing());
    let writer: IngestSide | null = null;
    const saveCharges: SaveCharges = (...charges) => writer?.saveCharges(...charges) ?? saveHere(database, ...charges);
    const api = await createApi({
      database,
      replica,
      counters,
      saveCharges,
      now: clock.now,
      isDraining: () => isDraining,
      observe,
    });
    ending.add("counters", () => api.close());
    // One process reports what is wrong with the tiles; all of them read the same files.
    const { mapTiles, streets } = streetsOf(tilesPath, store, asWorker ? () => {} : observe);
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
      streets,
      geocoder,
      mail,
      publicUrl,
      openId,
      maxKeysPerUser,
      clock: clock.now,
      ingest: () => ingest,
      demoHistory: hooks.demoHistory,
      makesDemos: hooks.makesDemos ?? false,
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
        maxBodyBytes: maxPortalBodyBytes,
        observe,
        tracing,
        isDraining: () => isDraining,
        fetch: (request, server) => {
          const peer = peerOf(request, server);
          // Which host is meant is not clear, so the API refuses it.
          if (twoHosts(request.headers)) return api.answer(request, peer);
          return portal.answer(request, peer, stayOpenOf(request, server)) ?? api.answer(request, peer);
        },
      });
      const drainIt = once(() => drain(server));
      ending.add("public side", drainIt);
      return { server, drain: drainIt };
    };
    if (asWorker) {
      ending.add("channel to the first process", leaveFirst);
      const [isGone, isOver] = [firstIsGone(), endFromFirst()];
      const ended = Promise.race([stopped, isGone]);
      const given = await Promise.race([portFromFirst(), ended]);
      if (typeof given === "string") return;
      ingest = given.ingest;
      listenToPublic(given.port);
      ending.add("report", reportToFirst(metrics));
      await ended;
      isDraining = true;
      // All processes close their port at the same time, when the first one says so.
      await Promise.race([isOver, isGone]);
      return;
    }

    if (mqtt !== null && mqtt.address.password !== null && call.options.mqtt !== undefined) {
      observe({ kind: "password_in_arguments", flag: "--mqtt", better: "ODOGRAPH_MQTT" });
    }
    if (geocoder !== null && new URL(geocoder.url).password !== "" && call.options.geocoder !== undefined) {
      observe({ kind: "password_in_arguments", flag: "--geocoder", better: "ODOGRAPH_GEOCODER" });
    }
    // The demo trusts its own clock: that is nothing to warn of.
    if (trustsClock && call.settings().trustsClock) {
      const advice =
        "retention drops whatever the clock calls old; remove --trust-clock or ODOGRAPH_TRUST_CLOCK for the next start";
      observe({ kind: "clock_trusted", advice });
    }
    // The port is opened last, so that nobody is answered before everything is ready. Whether it is free is checked now.
    requireFreePort(hostname, port, "port");
    const others = await startWorkers(workers - 1, call.options, limits.kill);
    const stopOthers = once(() => others.stop());
    ending.add("workers", stopOthers);
    const ingestSide = await startIngestSide(
      {
        store: main,
        hostname,
        port: ingestPort,
        retainDays,
        trustsClock,
        dataDirectory,
        lastUsedAt: usedAt,
        mqtt,
        trackers,
        tracing: traced,
        logLevel: hooks.ingestLogLevel ?? settings.logLevel,
        logFormat: logFormat(settings),
      },
      call.terminal.note,
      () => [metrics.snapshot(), ...others.snapshots()],
    );
    writer = ingestSide;
    ingest = ingestPlace(ingestUrl, ingestSide, mqtt);
    const stopIngest = once(() => {
      writer = null;
      return ingestSide.stop();
    });
    ending.add("ingest side", stopIngest);
    const publicSide = listenToPublic(port);
    await others.listen(publicSide.server.port ?? port, ingest);

    const { origin: url } = publicSide.server.url;
    const startMailing = (by: MailSettings): readonly (() => Promise<void>)[] => {
      const places = new PlaceNames(geocoder && new Geocoder(geocoder, observe), mapTiles);
      const streetName = async (latitude: number, longitude: number) => (await places.nameOf(latitude, longitude)).name;
      const notifying = { database, mail: by, publicUrl: serverOriginOf(settings, url), observe, streetName };
      return [startNotifier(notifying), startReportMailer({ ...notifying, api })];
    };
    const isMailing = mail !== null && (publicUrl !== null || mail.smtp === null);
    if (isMailing) for (const end of startMailing(mail)) ending.add("mails", end);

    const { url: ingestAddress, trackerPorts } = ingestSide;
    const listening = { url, ingestUrl: ingestAddress, trackerPorts };
    hooks.announce(listening);
    observe({ kind: "server_listening", url, ingestUrl: ingestAddress, engine: database.engine });
    if (hooks.afterStart)
      ending.add("first run", await hooks.afterStart(listening, database, observe, isMailing ? null : startMailing));
    if (hooks.alongside) ending.add("demo", hooks.alongside(listening, observe));
    const signal = await Promise.race([stopped, others.lost, ingestSide.lost]);
    // First everything is answered, and balancers and clients are asked to go elsewhere.
    isDraining = true;
    observe({ kind: "server_draining", signal });
    ingestSide.drain();
    others.drain();
    await Promise.race([Bun.sleep(isFromTerminal(signal) ? 0 : drainMs), ingestSide.lost]);
    // From now on no request is accepted on either side. Each finishes in its own time.
    publicSide.drain();
    stopOthers();
    stopIngest();
  } finally {
    await ending.closeAll();
  }
  observe({ kind: "server_stopped" });
}

/** Where the operator says; else what an owner uploads into the data directory, which only an embedded store has to itself. */
function streetsOf(path: string | null, store: StoreTarget, observe: Observe) {
  if (path !== null) return { mapTiles: new MapTiles(path, observe), streets: "configured" } as const;
  if (store.engine !== "sqlite") return { mapTiles: null, streets: "several_nodes" } as const;
  const folder = join(store.directory, "streets");
  const mapTiles = new MapTiles(folder, observe, { mayBeEmpty: true });
  return { mapTiles, streets: new UploadedStreets(folder, mapTiles) };
}

/** What people may see: never how this server signs in to the broker. */
function ingestPlace(
  url: string | null,
  { url: listening, trackerPorts }: Pick<IngestSide, "url" | "trackerPorts">,
  mqtt: BrokerSettings | null,
): IngestPlace {
  const broker = mqtt && {
    host: mqtt.address.host,
    port: mqtt.address.port,
    is_tls: mqtt.address.protocol === "mqtts",
    topics: mqtt.topics,
  };
  // The address names no port if it is that of http.
  return { url, port: Number(new URL(listening).port || 80), mqtt: broker, trackerPorts };
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

/** A person who presses Ctrl-C does not want to wait for balancers. */
function isFromTerminal(signal: string): boolean {
  return signal === "SIGINT" && process.stdin.isTTY;
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
