import type { ErrorCode } from "../domain/errors.ts";

export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * What keeps a kind from filling the log:
 * - `start`: it comes once with a start, an end or a conversion;
 * - `timer`: the observer waits for at least ten seconds before the next;
 * - `level`: only an operator who asks for `debug` gets it;
 * - `refusals`, `repeats`: a stranger, a sender or a fault that lasts can repeat it without end, so its lines are shared out
 *   (bound-log.ts). If in doubt, a kind is `repeats`.
 */
type Bound = "start" | "timer" | "level" | "refusals" | "repeats";

/** One kind of observation. `fields` is there for the compiler alone. */
interface Kind<Fields> {
  readonly level: LogLevel;
  readonly bound: Bound;
  readonly fields?: Readonly<Fields>;
}

function kind<Fields>(level: LogLevel, bound: Bound): Kind<Fields> {
  return { level, bound };
}

/** For metrics and traces; in the log only at the level `debug`. */
function detail<Fields>(): Kind<Fields> {
  return { level: "debug", bound: "level" };
}

/** The public id of the key, session or token, never the secret itself. Empty for a caller without a valid one. */
export interface Caller {
  readonly keyId?: string;
  readonly userId?: string;
  readonly tokenId?: string;
}

interface StoredCounts {
  accepted: number;
  duplicate: number;
  refused: number;
}

/** The device is meant by its internal number. */
interface DerivedCounts {
  device: number;
  frames: number;
  factsSaved: number;
  factsRemoved: number;
}

interface Timed {
  requestId: string;
  route: string;
  durationMs: number;
}

interface Submission extends StoredCounts {
  transactions: number;
  /** For earlier frames of the account, and for the store. */
  waitMs: number;
  deriveMs: number;
  commitMs: number;
  /** For deriving late frames afterwards; null if there were none. */
  lateMs: number | null;
}

interface Refusal extends Caller {
  requestId: string;
  /** A pattern: neither path nor query, which may hold anything. */
  route: string;
  status: number;
  code: ErrorCode;
  /** The network of an unknown caller, to share out the log's lines. Never written. */
  network?: string;
}

interface LeftOutLines {
  of: Observation["kind"];
  count: number;
  /** The cause of failed requests, or the task that failed. */
  what?: string;
  /** Of failed requests, such as `ingest /frames 1190, /devices 14`. */
  routes?: string;
}

interface StrangersRefused {
  over: "tcp" | "udp";
  address: string;
  refused: number;
  noted: number;
  advice: string;
}

interface PlacesTaken {
  closed: number;
  addresses: number;
  address: string;
  waiting: number;
  advice: string;
}

interface UpgradeProgress {
  /** How many there were in the beginning. */
  devices: number;
  left: number;
  /** Those that this node has derived since the beginning. */
  frames: number;
  seconds: number;
  /** By how long the devices took so far; null before the first. */
  secondsLeft: number | null;
}

interface RefusedRetention {
  reason: "clock_ahead" | "limit_after_newest_receipt" | "nearly_everything";
  before: string;
  clock: string;
  newestReceipt: string | null;
  /** Of the stored frames, in percent; null: they were not counted. */
  sharePercent: number | null;
  /** How many accounts' frames stay, which would have lost most of theirs; null: all. */
  accounts: number | null;
  advice: string;
}

/**
 * Everything worth knowing, as facts: the fields of each kind, its level in the log, and what bounds it there. Code that
 * observes does not format text. No field may hold a secret.
 */
export const observationKinds = {
  schema_migrated: kind<{ engine: string; applied: number }>("info", "start"),
  /** What an earlier version stored is converted. Until that is finished, the store is not used. */
  store_conversion_started: kind<{ what: string }>("info", "start"),
  store_conversion_progress: kind<{ what: string; done: number; total: number }>("info", "start"),
  store_conversion_finished: kind<{ seconds: number }>("info", "start"),
  /** The next start goes on. */
  store_conversion_interrupted: kind<{ signal: string }>("info", "start"),
  server_not_listening: kind<{ reason: string }>("info", "start"),
  server_listening: kind<{ url: string; ingestUrl: string; engine: string }>("info", "start"),
  server_draining: kind<{ signal: string }>("info", "start"),
  /** It did not stop in time. `givenUp` names what was still open; the first of it was being waited for. */
  server_cut_off: kind<{ givenUp: string; afterMs: number }>("error", "start"),
  server_stopped: kind<object>("info", "start"),
  request_answered: detail<Timed & { keyId?: string | null; status: number }>(),
  /** The client disconnected while sending. It is no failure, and there was no answer. */
  request_aborted: detail<Timed>(),
  /** A download ended before its file did, though nothing failed here: the person or the connection went away, or it stalled. */
  download_left: kind<Caller & Timed>("info", "repeats"),
  request_refused: kind<Refusal>("info", "refusals"),
  /** Refusals that got no line, by code: `RATE_LIMITED 1190, NOT_FOUND 14`. */
  requests_refused: kind<Caller & { count: number; codes: string }>("info", "timer"),
  /** Observations of one kind that got no line, because there were too many of them. Its level is that of the kind. */
  lines_left_out: kind<LeftOutLines>("info", "timer"),
  request_failed: kind<Caller & { requestId: string; route: string; cause: unknown }>("error", "repeats"),
  frames_stored: detail<StoredCounts>(),
  /** The frames of a message, or of several of a broker, are on disk and derived. What came in several transactions is added up. */
  submission_stored: detail<Submission>(),
  late_frames_refolded: kind<DerivedCounts>("info", "repeats"),
  /** Devices that follow earlier rules are derived again in the background. */
  rules_upgrade_started: kind<{ rules: number; devices: number }>("info", "timer"),
  rules_upgrade_progress: kind<UpgradeProgress>("info", "timer"),
  rules_upgrade_finished: kind<{ rules: number; devices: number; frames: number; seconds: number }>("info", "timer"),
  device_upgraded: detail<DerivedCounts & { verdictsChanged: number }>(),
  /** This node does the work that one node does for all. No node did before, or the one that did has given it back. */
  work_led: kind<{ node: string; work: string }>("info", "repeats"),
  /** The node that did it has not been heard of. */
  work_taken_over: kind<{ node: string; work: string; from: string }>("warn", "repeats"),
  /** This node could not say in time that it is there, so another may do that work now. */
  work_lost: kind<{ node: string; work: string }>("warn", "repeats"),
  frames_dropped: kind<{ count: number; before: string }>("info", "timer"),
  /** A pass of retention ended; it dropped something or not. */
  retention_passed: detail<object>(),
  /** Frames would be dropped that may not be old at all: the clock may be ahead. They were not. */
  retention_refused: kind<RefusedRetention>("warn", "timer"),
  /** The size of the store; what is free beside an embedded one; when it was last backed up, as far as that is known. */
  store_measured: detail<{ bytes: number; freeBytes: number | null; backupAt: number | null }>(),
  /** A statement failed because this worker of a Citus cluster does not answer, or cannot be reached. */
  worker_failed: detail<{ worker: string }>(),
  /** Of a list, where a replica is configured. */
  page_read: detail<{ from: "primary" | "replica" }>(),
  /** Null: not known any more. */
  replica_measured: detail<{ lagBytes: number | null }>(),
  /** Pages are read from it if it is level with the primary. */
  replica_used: kind<{ replica: string }>("info", "repeats"),
  /** All pages are read from the primary. Reported once until it is used again. */
  replica_left: kind<{ replica: string; reason: string }>("warn", "repeats"),
  clock_behind: kind<{ behindSeconds: number; clock: string; newestReceipt: string }>("warn", "timer"),
  /** This machine's clock against that of the store, or against what an embedded store knows; negative: it is behind. */
  clock_compared: detail<{ aheadSeconds: number }>(),
  clock_differs: kind<{ aheadSeconds: number }>("warn", "timer"),
  /** The operator said so at the start: nothing is checked, as long as it runs. */
  clock_trusted: kind<{ advice: string }>("warn", "start"),
  /** Its frames are always off by as much; negative: it is slow. Reported once for each device, until it is right again. */
  tracker_clock_wrong: kind<{ imei: string; aheadSeconds: number; advice: string }>("warn", "repeats"),
  /** Its frames alternate between two places that are far apart. Reported once for each device, until they no longer do. */
  imei_shared: kind<{ imei: string; advice: string }>("warn", "repeats"),
  /** Devices whose trackers look like those of others, which an earlier version allowed. Once a day. */
  tracker_names_taken: kind<{ devices: number; imei: string; heldBy: string; advice: string }>("warn", "timer"),
  tracker_port_opened: kind<{ family: string; address: string }>("info", "start"),
  /** For how many sockets of trackers there is room, by how many files this process may open, and what is left for all else. */
  limits: kind<{ openFiles: number; trackers: number; beforeLogin: number; keptFree: number }>("info", "start"),
  open_files_few: kind<{ openFiles: number; trackers: number; advice: string }>("warn", "start"),
  /** In the last minute, so many sockets that had not logged in were closed for others. `address`: which had the most of them. */
  tracker_places_taken: kind<PlacesTaken>("warn", "timer"),
  /** A tracker was not let in, or was sent away. What it calls itself is no secret: it is printed on its case. */
  tracker_refused: kind<{ family: string; reason: string; identity: string | null }>("info", "repeats"),
  /** In the last minute, from one address, or from several together: that many are no device of ours, of which few were noted. */
  unknown_trackers_refused: kind<StrangersRefused>("warn", "timer"),
  /** A connection sends for a device after another has logged in for it. Reported once for each connection. */
  tracker_connected_twice: kind<{ imei: string; family: string }>("warn", "repeats"),
  /** Its tracker got no answer, and sends the messages again. */
  tracker_messages_not_stored: kind<{ family: string; cause: unknown }>("error", "repeats"),
  broker_connected: kind<{ broker: string; clientId: string; topics: string }>("info", "repeats"),
  broker_topics_refused: kind<{ broker: string; topics: string }>("error", "repeats"),
  broker_lost: kind<{ broker: string; reason: string; retryMs: number }>("warn", "repeats"),
  broker_messages_not_stored: kind<{ messages: number; retryMs: number; cause: unknown }>("error", "repeats"),
  /** `frames` since the last report; the other fields are those of one example. */
  broker_frames_refused: kind<{ frames: number; topic: string; imei: string | null; reason: string }>(
    "warn",
    "repeats",
  ),
  /** Places have no names meanwhile. Reported once until it answers again. */
  geocoder_failed: kind<{ reason: string; retryMs: number }>("warn", "repeats"),
  /** Nobody can sign in by OpenID Connect meanwhile; passwords still work. */
  openid_failed: kind<{ reason: string }>("warn", "repeats"),
  /** A mail was not handed over. The server's own words may hold an address, so it is only the code. */
  mail_failed: kind<{ code: string }>("warn", "repeats"),
  /** Of a mail about alerts: the server has taken it, or it was given up. */
  notification_sent: detail<{ alerts: number }>(),
  notification_failed: kind<{ problem: string; attempts: number }>("warn", "repeats"),
  /** The mail server cannot be reached, or does not let us in: everything waits. Once, until mails are taken again. */
  notifications_delayed: kind<{ problem: string; retryMs: number }>("warn", "repeats"),
  /** Mails that wait to be sent, and alerts that are being gathered for one. */
  notifications_measured: detail<{ mails: number; alerts: number }>(),
  /** Of a mailed report: the server has taken it, or it was given up. */
  report_sent: detail<{ rows: number }>(),
  report_failed: kind<{ problem: string; attempts: number }>("warn", "repeats"),
  /** The mail server takes nothing: all reports wait. */
  reports_delayed: kind<{ problem: string; retryMs: number }>("warn", "repeats"),
  /** Mails of reports that wait to be sent. */
  reports_measured: detail<{ mails: number }>(),
  /** The portal draws streets from this file or folder. */
  map_tiles_in_use: kind<{ path: string; archives: number; maxZoom: number }>("info", "repeats"),
  /** The portal's map has no streets, or fewer, until this is put right. */
  map_tiles_unusable: kind<{ path: string; reason: string }>("warn", "repeats"),
  password_in_arguments: kind<{ flag: string; better: string }>("warn", "start"),
  /** They are lost. Reported once until spans are sent again. */
  traces_not_sent: kind<{ spans: number; reason: string }>("warn", "repeats"),
  maintenance_failed: kind<{ task: string; cause: unknown }>("error", "repeats"),
};

type Kinds = typeof observationKinds;

export type Observation = {
  [Name in keyof Kinds]: { readonly kind: Name } & NonNullable<Kinds[Name]["fields"]>;
}[keyof Kinds];

export type Observed<Name extends Observation["kind"]> = Extract<Observation, { kind: Name }>;

export type Observe = (observation: Observation) => void;
