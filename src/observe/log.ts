import type { Observation, Observe } from "./observation.ts";

export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: "json" | "human";
  readonly write: (line: string) => void;
  readonly now?: () => number;
  /** Of the request under way, where there are traces. */
  readonly traceId?: () => string | null;
}

/** The level of each kind. The compiler demands an entry when a kind is added. */
const levelOf: Readonly<Record<Observation["kind"], LogLevel>> = {
  schema_migrated: "info",
  store_conversion_started: "info",
  store_conversion_progress: "info",
  store_conversion_finished: "info",
  store_conversion_interrupted: "info",
  server_not_listening: "info",
  server_listening: "info",
  server_draining: "info",
  server_cut_off: "error",
  server_stopped: "info",
  request_answered: "debug",
  request_aborted: "debug",
  download_left: "info",
  request_refused: "info",
  requests_refused: "info",
  // Its level is that of what it counts.
  lines_left_out: "info",
  request_failed: "error",
  frames_stored: "debug",
  submission_stored: "debug",
  late_frames_refolded: "info",
  rules_upgrade_started: "info",
  rules_upgrade_progress: "info",
  rules_upgrade_finished: "info",
  device_upgraded: "debug",
  work_led: "info",
  work_taken_over: "warn",
  work_lost: "warn",
  frames_dropped: "info",
  retention_passed: "debug",
  retention_refused: "warn",
  store_measured: "debug",
  worker_failed: "debug",
  page_read: "debug",
  replica_measured: "debug",
  replica_used: "info",
  replica_left: "warn",
  clock_behind: "warn",
  clock_compared: "debug",
  clock_differs: "warn",
  clock_trusted: "warn",
  broker_connected: "info",
  broker_topics_refused: "error",
  broker_lost: "warn",
  broker_messages_not_stored: "error",
  broker_frames_refused: "warn",
  geocoder_failed: "warn",
  openid_failed: "warn",
  mail_failed: "warn",
  map_tiles_in_use: "info",
  map_tiles_unusable: "warn",
  password_in_arguments: "warn",
  traces_not_sent: "warn",
  maintenance_failed: "error",
};

/** Every kind of observation. */
export const observationKinds = Object.keys(levelOf) as Observation["kind"][];

/** Writes observations as JSON lines, or in a form for people on a terminal. */
export function createLog(options: LogOptions): Observe {
  const least = logLevels.indexOf(options.level);
  const format = options.format === "json" ? jsonLine : humanLine;
  const now = options.now ?? Date.now;
  return (observation) => {
    const level = levelOf[observation.kind === "lines_left_out" ? observation.of : observation.kind];
    if (logLevels.indexOf(level) < least) return;
    // Work in the background may have been begun by a request, and is not about it.
    const traceId = "requestId" in observation ? options.traceId?.() : null;
    const facts: Facts = traceId ? { ...observation, ...{ traceId } } : observation;
    options.write(format(new Date(now()).toISOString(), level, facts));
  };
}

/** What a line says. */
type Facts = Observation & { readonly traceId?: string };

function jsonLine(time: string, level: LogLevel, observation: Facts): string {
  return JSON.stringify({ time, level, ...observation }, (_, value) => explained(value));
}

function humanLine(time: string, level: LogLevel, { kind, ...facts }: Facts): string {
  const details = Object.entries(facts).map(([name, value]) => `${name}=${plain(value)}`);
  return [time.slice(11, 23), level.padEnd(5), kind.replaceAll("_", " "), ...details].join(" ");
}

function plain(value: unknown): string {
  const text = causeText(value);
  return /^[^\s"\p{Cc}]+$/u.test(text) ? text : JSON.stringify(text);
}

function explained(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return {
    message: causeText(value),
    stack: value.stack
      ?.split("\n")
      .slice(1, 8)
      .map((line) => line.trim()),
  };
}

/** An error with its causes. Their messages are ours or the database's, and name no parameter values. */
export function causeText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error ? `${thrown.message}: ${causeText(thrown.cause)}` : thrown.message;
}
