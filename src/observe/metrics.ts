import packageFile from "../../package.json" with { type: "json" };
import { countError, type ErrorCounts, noErrors } from "./error-counts.ts";
import { observationKinds } from "./log.ts";
import type { Observation, Observe } from "./observation.ts";

/** Seconds. A poll takes tens of microseconds, a page a few milliseconds; anything longer is a problem. */
const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** These two follow the buckets. */
const sumIndex = latencyBuckets.length;
const totalIndex = sumIndex + 1;

/** What one process has counted, in a form that can be sent to another and added up there. */
export interface MetricsSnapshot {
  /** By route, then by status. */
  readonly requests: Record<string, Record<string, number>>;
  readonly errors: ErrorCounts;
  /** By route: one count per bucket, then the sum of seconds and the total. */
  readonly latencies: Record<string, number[]>;
  /** Frames that came in, by outcome. */
  readonly frames: Record<string, number>;
  /** By kind of observation. */
  readonly facts: Partial<Record<Observation["kind"], number>>;
  readonly upgrade: UpgradeCounts;
  /** This machine's clock against that of the store, or what is known of the time; 0 where nothing compares them. */
  readonly clockAheadSeconds: number;
  /** Whether the last pass of retention here was refused; null: there was none. */
  readonly isRetentionRefused: boolean | null;
  /** Null before the first look. */
  readonly store: StoreFigures | null;
  /** Whether it does the work that one node does for all. */
  readonly isLeading: boolean;
  readonly replica: ReplicaCounts;
  /** Null where there is none. */
  readonly isBrokerConnected: boolean | null;
  /** Of the whole process; 0 from a thread if another thread of the process reports it. */
  readonly residentBytes: number;
}

type StoreFigures = Pick<Extract<Observation, { kind: "store_measured" }>, "bytes" | "freeBytes" | "backupAt">;

/** Devices that follow earlier rules, and the frames of others that were derived again. */
interface UpgradeCounts {
  devicesWaiting: number;
  framesDerived: number;
}

/** Where a replica is configured. */
interface ReplicaCounts {
  /** Pages of lists, by where they were read. */
  readonly reads: Record<string, number>;
  lagBytes: number | null;
}

/** The statuses that each route may answer with. */
export type KnownRequests = Readonly<Record<string, readonly number[]>>;

const frameResults = ["accepted", "duplicate", "refused"] as const;

export interface Metrics {
  readonly observe: Observe;
  snapshot(): MetricsSnapshot;
}

/**
 * Counts observations. Routes come from the route table, so the number of series is bounded. Known counters start at 0:
 * Prometheus computes no increase for the first event of a counter that did not exist before.
 */
export function createMetrics(...known: readonly KnownRequests[]): Metrics {
  const requests: MetricsSnapshot["requests"] = {};
  for (const [route, statuses] of known.flatMap((some) => Object.entries(some))) {
    requests[route] = { ...requests[route], ...zeros(statuses) };
  }
  const errors = noErrors(Object.keys(requests));
  const latencies: MetricsSnapshot["latencies"] = {};
  const frames: MetricsSnapshot["frames"] = zeros(frameResults);
  const facts: MetricsSnapshot["facts"] = zeros(observationKinds);
  const upgrade: UpgradeCounts = { devicesWaiting: 0, framesDerived: 0 };
  const observeUpgrade = upgradeObserver(upgrade);
  let clockAheadSeconds = 0;
  let isBrokerConnected: boolean | null = null;
  let isRetentionRefused: boolean | null = null;
  let store: StoreFigures | null = null;
  const replica: ReplicaCounts = { reads: {}, lagBytes: null };
  const counts = { requests, errors, latencies, frames, facts, upgrade, replica };

  return {
    observe(observation) {
      facts[observation.kind] = (facts[observation.kind] ?? 0) + 1;
      if (observation.kind === "frames_stored") addFrames(frames, observation);
      if (observation.kind === "clock_compared") clockAheadSeconds = observation.aheadSeconds;
      if (observation.kind === "retention_passed") isRetentionRefused = false;
      if (observation.kind === "retention_refused") isRetentionRefused = true;
      if (observation.kind === "store_measured") store = observation;
      if (observation.kind === "broker_connected") isBrokerConnected = true;
      if (observation.kind === "broker_lost") isBrokerConnected = false;
      countError(errors, observation);
      observeUpgrade(observation);
      observeReplica(replica, observation);
      if (observation.kind !== "request_answered") return;
      const { route, status, durationMs } = observation;
      requests[route] ??= {};
      const ofRoute = requests[route];
      ofRoute[status] = (ofRoute[status] ?? 0) + 1;
      latencies[route] ??= noLatencies();
      addLatency(latencies[route], durationMs / 1000);
    },
    snapshot: () => {
      const residentBytes = process.memoryUsage.rss();
      const gauges = { isBrokerConnected, clockAheadSeconds, isRetentionRefused, store };
      return { ...counts, ...gauges, isLeading: false, residentBytes };
    },
  };
}

/** The Prometheus text format, for all processes of this node together. */
export function renderMetrics(snapshots: readonly MetricsSnapshot[]): string {
  const requests = new Map<string, number>();
  const errors = new Map<string, number>();
  const frames = new Map<string, number>();
  const facts = new Map<string, number>();
  const pageReads = new Map<string, number>();
  const latencies = new Map<string, number[]>();
  const add = (to: Map<string, number>, labels: string, value: number) => to.set(labels, (to.get(labels) ?? 0) + value);
  for (const snapshot of snapshots) {
    for (const [route, statuses] of Object.entries(snapshot.requests)) {
      for (const [status, count] of Object.entries(statuses))
        add(requests, `route="${route}",status="${status}"`, count);
    }
    for (const [side, codes] of Object.entries(snapshot.errors)) {
      for (const [code, count] of Object.entries(codes)) add(errors, `side="${side}",code="${code}"`, count);
    }
    for (const [result, count] of Object.entries(snapshot.frames)) add(frames, `result="${result}"`, count);
    for (const [kind, count] of Object.entries(snapshot.facts)) add(facts, `kind="${kind}"`, count);
    for (const [from, count] of Object.entries(snapshot.replica.reads)) add(pageReads, `from="${from}"`, count);
    for (const [route, counts] of Object.entries(snapshot.latencies)) {
      const sum = latencies.get(route) ?? noLatencies();
      latencies.set(
        route,
        sum.map((value, index) => value + (counts[index] ?? 0)),
      );
    }
  }
  const devicesWaiting = snapshots.reduce((sum, { upgrade }) => sum + upgrade.devicesWaiting, 0);
  const framesDerived = snapshots.reduce((sum, { upgrade }) => sum + upgrade.framesDerived, 0);
  const clockAheadSeconds = snapshots.reduce((sum, snapshot) => sum + snapshot.clockAheadSeconds, 0);
  const isLeading = snapshots.some((snapshot) => snapshot.isLeading);
  const retained = snapshots.filter(({ isRetentionRefused }) => isRetentionRefused !== null);
  const lags = snapshots.flatMap(({ replica }) => replica.lagBytes ?? []);
  const brokers = snapshots.flatMap(({ isBrokerConnected }) => isBrokerConnected ?? []);
  const processes = snapshots.filter((snapshot) => snapshot.residentBytes > 0).length;
  const residentBytes = snapshots.reduce((sum, snapshot) => sum + snapshot.residentBytes, 0);
  return [
    ...series("odograph_requests_total", "counter", "Requests answered.", requests),
    ...series("odograph_errors_total", "counter", "Requests refused or failed, by error code.", errors),
    ...histogramSeries("odograph_request_seconds", "Time to answer a request.", latencies),
    ...series("odograph_frames_total", "counter", "Frames that came in.", frames),
    ...series("odograph_observations_total", "counter", "Facts observed, by kind.", facts),
    ...series(
      "odograph_devices_waiting",
      "gauge",
      "Devices that follow earlier rules.",
      new Map([["", devicesWaiting]]),
    ),
    ...series(
      "odograph_frames_derived_again_total",
      "counter",
      "Frames derived again by newer rules.",
      new Map([["", framesDerived]]),
    ),
    ...series(
      "odograph_clock_ahead_seconds",
      "gauge",
      "This machine's clock against PostgreSQL's, or against what is known of the time.",
      new Map([["", clockAheadSeconds]]),
    ),
    ...series(
      "odograph_retention_refused",
      "gauge",
      "Whether this node leads, and did not drop old frames, since its clock may be ahead.",
      new Map(retained.map(({ isLeading, isRetentionRefused }) => ["", isLeading && isRetentionRefused ? 1 : 0])),
    ),
    ...storeSeries(snapshots.flatMap(({ store }) => store ?? [])[0]),
    ...series(
      "odograph_leading",
      "gauge",
      "Whether this node does the work that one node does for all.",
      new Map([["", isLeading ? 1 : 0]]),
    ),
    ...series("odograph_page_reads_total", "counter", "Pages of lists, by where they were read.", pageReads),
    ...series(
      "odograph_replica_lag_bytes",
      "gauge",
      "What the replica has not replayed yet.",
      new Map(lags.length > 0 ? [["", Math.max(...lags)]] : []),
    ),
    ...series(
      "odograph_broker_connected",
      "gauge",
      "Whether the MQTT broker is connected.",
      new Map(brokers.map((isConnected) => ["", isConnected ? 1 : 0])),
    ),
    ...series(
      "odograph_build_info",
      "gauge",
      "The program's version.",
      new Map([[`version="${packageFile.version}"`, 1]]),
    ),
    ...series("odograph_processes", "gauge", "Processes of this node.", new Map([["", processes]])),
    ...series("process_resident_memory_bytes", "gauge", "Resident memory.", new Map([["", residentBytes]])),
    ...series("process_uptime_seconds", "gauge", "Time since start.", new Map([["", process.uptime()]])),
    "",
  ].join("\n");
}

function storeSeries(store: StoreFigures | undefined): string[] {
  if (store === undefined) return [];
  const gauge = (name: string, help: string, value: number | null) =>
    series(name, "gauge", help, new Map(value === null ? [] : [["", value]]));
  const { bytes, freeBytes, backupAt } = store;
  return [
    ...gauge("odograph_store_bytes", "Size of the store.", bytes),
    ...gauge("odograph_store_free_bytes", "What is free beside the store.", freeBytes),
    ...gauge(
      "odograph_last_backup_timestamp_seconds",
      "When the last backup was made; 0: none is known.",
      backupAt === null ? null : backupAt / 1000,
    ),
  ];
}

function zeros(names: readonly (string | number)[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, 0]));
}

function noLatencies(): number[] {
  return [...latencyBuckets.map(() => 0), 0, 0];
}

function addFrames(
  frames: Record<string, number>,
  stored: { accepted: number; duplicate: number; refused: number },
): void {
  for (const result of frameResults) {
    frames[result] = (frames[result] ?? 0) + stored[result];
  }
}

/** What is reported counts from the start of an upgrade; the counter goes on from one to the next. */
function upgradeObserver(counts: UpgradeCounts): Observe {
  let before = 0;
  return (observation) => {
    switch (observation.kind) {
      case "rules_upgrade_started":
        before = counts.framesDerived;
        counts.devicesWaiting = observation.devices;
        break;
      case "rules_upgrade_progress":
        counts.devicesWaiting = observation.left;
        counts.framesDerived = before + observation.frames;
        break;
      case "rules_upgrade_finished":
        counts.devicesWaiting = 0;
        counts.framesDerived = before + observation.frames;
        break;
    }
  };
}

/** Nothing is shown before a replica was spoken of. */
function observeReplica(counts: ReplicaCounts, observation: Observation): void {
  const { reads } = counts;
  switch (observation.kind) {
    case "replica_used":
    case "replica_left":
      for (const from of ["primary", "replica"]) reads[from] ??= 0;
      break;
    case "page_read":
      reads[observation.from] = (reads[observation.from] ?? 0) + 1;
      break;
    case "replica_measured":
      counts.lagBytes = observation.lagBytes;
      break;
  }
}

function addLatency(counts: number[], seconds: number): void {
  let bucket = 0;
  while (bucket < sumIndex && seconds > (latencyBuckets[bucket] as number)) bucket++;
  if (bucket < sumIndex) counts[bucket] = (counts[bucket] ?? 0) + 1;
  counts[sumIndex] = (counts[sumIndex] ?? 0) + seconds;
  counts[totalIndex] = (counts[totalIndex] ?? 0) + 1;
}

function series(name: string, type: string, help: string, values: ReadonlyMap<string, number>): string[] {
  if (values.size === 0) return [];
  const lines = [...values].map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

function histogramSeries(name: string, help: string, latencies: ReadonlyMap<string, number[]>): string[] {
  if (latencies.size === 0) return [];
  const lines = [...latencies].flatMap(([route, counts]) => {
    const [sum = 0, total = 0] = counts.slice(latencyBuckets.length);
    let below = 0;
    const buckets = latencyBuckets.map((limit, index) => {
      below += counts[index] ?? 0;
      return `${name}_bucket{route="${route}",le="${limit}"} ${below}`;
    });
    return [
      ...buckets,
      `${name}_bucket{route="${route}",le="+Inf"} ${total}`,
      `${name}_sum{route="${route}"} ${sum}`,
      `${name}_count{route="${route}"} ${total}`,
    ];
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines];
}
