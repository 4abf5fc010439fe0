import packageFile from "../../package.json" with { type: "json" };
import { countError, type ErrorCounts, noErrors } from "./error-counts.ts";
import { type Observation, type Observe, type Observed, observationKinds } from "./observation.ts";

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
  readonly frames: Record<string, number>;
  readonly facts: Partial<Record<Observation["kind"], number>>;
  readonly upgrade: UpgradeCounts;
  /** This machine's clock against that of the store, or what is known of the time; 0 where nothing compares them. */
  readonly clockAheadSeconds: number;
  /** Whether the last pass of retention here was refused; null: there was none. */
  readonly isRetentionRefused: boolean | null;
  /** Null before the first look. */
  readonly store: StoreFigures | null;
  readonly isLeading: boolean;
  /** Null where no mail is set up, or another node sends them. */
  readonly notifications: NotificationFigures | null;
  /** Mails of reports that wait; null as above. */
  readonly waitingReports: number | null;
  /** Devices whose trackers this node has found something wrong with. */
  readonly trackerFaults: Readonly<Record<string, number>>;
  /** By family. */
  readonly trackerFamilies: Readonly<Record<string, TrackerFamilyCounts>>;
  /** Their sockets by state, and how many there may be. */
  readonly trackerPlaces: Readonly<Record<"counts" | "limits", Readonly<Record<string, number>>>>;
  readonly replica: ReplicaCounts;
  /** Null where there is none. */
  readonly isBrokerConnected: boolean | null;
  /** Of the whole process; 0 from a thread if another thread of the process reports it. */
  readonly residentBytes: number;
}

/** What is counted of trackers that are connected to this node: numbers by name, or by name and label. */
type TrackerFamilyCounts = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

type ObservationKind = Observation["kind"];

type NotificationFigures = Pick<Observed<"notifications_measured">, "mails" | "alerts">;

type StoreFigures = Pick<Observed<"store_measured">, "bytes" | "freeBytes" | "backupAt">;

/** Devices that follow earlier rules, and the frames of others that were derived again. */
interface UpgradeCounts {
  devicesWaiting: number;
  framesDerived: number;
}

/** Where a replica is configured. */
interface ReplicaCounts {
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

/** Known counters start at 0: Prometheus computes no increase for the first event of a new counter. */
export function createMetrics(...known: readonly KnownRequests[]): Metrics {
  const requests: MetricsSnapshot["requests"] = {};
  for (const [route, statuses] of known.flatMap((some) => Object.entries(some))) {
    requests[route] = { ...requests[route], ...zeros(statuses) };
  }
  const errors = noErrors(Object.keys(requests));
  const latencies: MetricsSnapshot["latencies"] = {};
  const frames: MetricsSnapshot["frames"] = zeros(frameResults);
  const facts: MetricsSnapshot["facts"] = zeros(Object.keys(observationKinds));
  const upgrade: UpgradeCounts = { devicesWaiting: 0, framesDerived: 0 };
  const observeUpgrade = upgradeObserver(upgrade);
  let clockAheadSeconds = 0;
  let isBrokerConnected: boolean | null = null;
  let isRetentionRefused: boolean | null = null;
  let store: StoreFigures | null = null;
  let notifications: NotificationFigures | null = null;
  let waitingReports: number | null = null;
  let residentBytes = 0;
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
      if (observation.kind === "notifications_measured") notifications = observation;
      if (observation.kind === "work_lost" && observation.work === "notifications") notifications = null;
      if (observation.kind === "reports_measured") waitingReports = observation.mails;
      if (observation.kind === "work_lost" && observation.work === "reports") waitingReports = null;
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
      residentBytes = residentNow() ?? residentBytes;
      const gauges = { isBrokerConnected, clockAheadSeconds, isRetentionRefused, store, notifications, waitingReports };
      const ofTrackers = { trackerFaults: {}, trackerFamilies: {}, trackerPlaces: { counts: {}, limits: {} } };
      return { ...counts, ...gauges, ...ofTrackers, isLeading: false, residentBytes };
    },
  };
}

/** Null: the system does not say, as when this process has no file left to open. What is only counted must end no server. */
function residentNow(): number | null {
  try {
    return process.memoryUsage.rss();
  } catch {
    return null;
  }
}

/** Values of a metric by their labels; a number for one without labels. Null: it is not shown. */
type Values = ReadonlyMap<string, number> | number | null;
type Labelled = readonly [labels: string, value: number];

/** The Prometheus text format, for all processes of this node together. */
export function renderMetrics(snapshots: readonly MetricsSnapshot[]): string {
  const byLabels = (labelled: (snapshot: MetricsSnapshot) => readonly Labelled[]) => {
    const sums = new Map<string, number>();
    for (const [labels, value] of snapshots.flatMap(labelled)) sums.set(labels, (sums.get(labels) ?? 0) + value);
    return sums;
  };
  const requests = byLabels((one) => twiceLabelled("route", "status", one.requests));
  const errors = byLabels((one) => twiceLabelled("side", "code", one.errors));
  const total = (of: (snapshot: MetricsSnapshot) => number) => snapshots.reduce((sum, one) => sum + of(one), 0);
  const isTrue = (known: readonly (boolean | null)[]) => (known.length === 0 ? null : Number(known.at(-1)));
  const frames = byLabels((one) => labelled("result", one.frames));
  const facts = byLabels((one) => labelled("kind", one.facts));
  const pageReads = byLabels((one) => labelled("from", one.replica.reads));
  const devicesWaiting = total(({ upgrade }) => upgrade.devicesWaiting);
  const framesDerived = total(({ upgrade }) => upgrade.framesDerived);
  const clockAhead = total(({ clockAheadSeconds }) => clockAheadSeconds);
  const retained = snapshots.filter(({ isRetentionRefused }) => isRetentionRefused !== null);
  const isRefused = isTrue(retained.map(({ isLeading, isRetentionRefused }) => isLeading && isRetentionRefused));
  const { bytes, freeBytes, backupAt } = snapshots.find(({ store }) => store !== null)?.store ?? unmeasured;
  const isLeading = Number(snapshots.some((one) => one.isLeading));
  const lags = snapshots.flatMap(({ replica }) => replica.lagBytes ?? []);
  const lag = lags.length > 0 ? Math.max(...lags) : null;
  const isConnected = isTrue(snapshots.flatMap(({ isBrokerConnected }) => isBrokerConnected ?? []));
  const waiting = snapshots.flatMap((one) => one.notifications ?? []).at(-1);
  const notifications = waiting ? new Map(labelled("what", { mails: waiting.mails, alerts: waiting.alerts })) : null;
  const mailsBy = (sent: ObservationKind, failed: ObservationKind, delayed: ObservationKind) => {
    const count = (kind: ObservationKind) => facts.get(`kind="${kind}"`) ?? 0;
    return new Map(labelled("result", { sent: count(sent), failed: count(failed), delayed: count(delayed) }));
  };
  const mails = mailsBy("notification_sent", "notification_failed", "notifications_delayed");
  const reports = mailsBy("report_sent", "report_failed", "reports_delayed");
  const reportsWaiting = snapshots.flatMap((one) => one.waitingReports ?? []).at(-1) ?? null;
  const build = new Map([[`version="${packageFile.version}"`, 1]]);
  const trackerFaults = byLabels((one) => labelled("fault", one.trackerFaults));
  const places = byLabels((one) => labelled("state", one.trackerPlaces.counts));
  const placeLimits = byLabels((one) => labelled("of", one.trackerPlaces.limits));
  const processes = total((one) => Number(one.residentBytes > 0));
  const resident = total(({ residentBytes }) => residentBytes);
  return [
    ...counter("odograph_requests_total", "Requests answered.", requests),
    ...counter("odograph_errors_total", "Requests refused or failed, by error code.", errors),
    ...histogram("odograph_request_seconds", "Time to answer a request.", latenciesOf(snapshots)),
    ...counter("odograph_frames_total", "Frames that came in.", frames),
    ...counter("odograph_observations_total", "Facts observed, by kind.", facts),
    ...gauge("odograph_devices_waiting", "Devices that follow earlier rules.", devicesWaiting),
    ...counter("odograph_frames_derived_again_total", "Frames derived again by newer rules.", framesDerived),
    ...gauge("odograph_clock_ahead_seconds", clockHelp, clockAhead),
    ...gauge("odograph_retention_refused", retentionHelp, isRefused),
    ...gauge("odograph_store_bytes", "Size of the store.", bytes),
    ...gauge("odograph_store_free_bytes", "What is free beside the store.", freeBytes),
    ...gauge("odograph_last_backup_timestamp_seconds", backupHelp, backupAt === null ? null : backupAt / 1000),
    ...gauge(
      "odograph_tracker_faults",
      "Devices whose tracker has a wrong clock, or an IMEI that another uses, too.",
      trackerFaults,
    ),
    ...trackerSeries(snapshots),
    ...gauge("odograph_tracker_places", "Sockets of trackers, by what they have said so far.", places),
    ...gauge("odograph_tracker_places_limit", "How many of them there is room for.", placeLimits),
    ...counter("odograph_notification_mails_total", "Mails about alerts, by what became of them.", mails),
    ...gauge("odograph_notifications_waiting", "Mails that wait, and alerts that are gathered for one.", notifications),
    ...counter("odograph_report_mails_total", "Mailed reports, by what became of them.", reports),
    ...gauge("odograph_report_mails_waiting", "Mailed reports that wait.", reportsWaiting),
    ...gauge("odograph_leading", "Whether this node does the work that one node does for all.", isLeading),
    ...counter("odograph_page_reads_total", "Pages of lists, by where they were read.", pageReads),
    ...gauge("odograph_replica_lag_bytes", "What the replica has not replayed yet.", lag),
    ...gauge("odograph_broker_connected", "Whether the MQTT broker is connected.", isConnected),
    ...gauge("odograph_build_info", "The program's version.", build),
    ...gauge("odograph_processes", "Processes of this node.", processes),
    ...gauge("process_resident_memory_bytes", "Resident memory.", resident),
    ...gauge("process_uptime_seconds", "Time since start.", process.uptime()),
    "",
  ].join("\n");
}

/** Of each count of trackers: its name, what it is, and the label of its parts if it has any. */
const trackerMetrics = [
  ["connections", "Trackers that are connected.", null],
  ["messages", "Messages of trackers.", null],
  ["frames", "Frames of trackers that were stored.", null],
  ["undecodable", "Messages of trackers that could not be read, or not all of them.", "kind"],
  ["fields_left_out", "Values of trackers that were out of bounds.", null],
  ["parts_unread", "Parts of messages that have no meaning here.", null],
  ["noise_bytes", "Bytes of trackers that belong to no message.", null],
  ["replies_withheld", "Replies that were not sent, since nothing was stored.", null],
  ["refused", "Trackers that were not let in, or sent away.", "reason"],
] as const;

function trackerSeries(snapshots: readonly MetricsSnapshot[]): string[] {
  const counts = snapshots.flatMap(({ trackerFamilies }) => Object.entries(trackerFamilies));
  return trackerMetrics.flatMap(([name, help, label]) => {
    const values = new Map<string, number>();
    for (const [family, ofFamily] of counts) {
      const value = ofFamily[name] ?? 0;
      if (typeof value === "number") values.set(`family="${family}"`, value);
      else for (const [labels, part] of labelled(label ?? "", value)) values.set(`family="${family}",${labels}`, part);
    }
    if (name === "connections") return gauge("odograph_tracker_connections", help, values);
    return counter(`odograph_tracker_${name}_total`, help, values);
  });
}

const clockHelp = "This machine's clock against PostgreSQL's, or against what is known of the time.";
const retentionHelp = "Whether this node leads, and did not drop old frames, since its clock may be ahead.";
const backupHelp = "When the last backup was made; 0: none is known.";
const unmeasured = { bytes: null, freeBytes: null, backupAt: null };

function labelled(label: string, counts: Readonly<Record<string, number>>): Labelled[] {
  return Object.entries(counts).map(([name, count]) => [`${label}="${name}"`, count]);
}

function twiceLabelled(
  outer: string,
  inner: string,
  counts: Readonly<Record<string, Readonly<Record<string, number>>>>,
): Labelled[] {
  return Object.entries(counts).flatMap(([name, ofName]) =>
    labelled(inner, ofName).map(([labels, count]): Labelled => [`${outer}="${name}",${labels}`, count]),
  );
}

function latenciesOf(snapshots: readonly MetricsSnapshot[]): ReadonlyMap<string, number[]> {
  const sums = new Map<string, number[]>();
  for (const [route, counts] of snapshots.flatMap(({ latencies }) => Object.entries(latencies))) {
    const sum = sums.get(route) ?? noLatencies();
    sums.set(
      route,
      sum.map((value, index) => value + (counts[index] ?? 0)),
    );
  }
  return sums;
}

function zeros(names: readonly (string | number)[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, 0]));
}

function noLatencies(): number[] {
  return [...latencyBuckets.map(() => 0), 0, 0];
}

function addFrames(frames: Record<string, number>, stored: Observed<"frames_stored">): void {
  for (const result of frameResults) frames[result] = (frames[result] ?? 0) + stored[result];
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

function counter(name: string, help: string, values: Values): string[] {
  return series(name, "counter", help, values);
}

function gauge(name: string, help: string, values: Values): string[] {
  return series(name, "gauge", help, values);
}

function series(name: string, type: string, help: string, values: Values): string[] {
  const shown = values instanceof Map ? [...values] : values === null ? [] : [["", values]];
  if (shown.length === 0) return [];
  const lines = shown.map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

function histogram(name: string, help: string, latencies: ReadonlyMap<string, number[]>): string[] {
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
