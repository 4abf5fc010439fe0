import { type LogLevel, logLevels, type Observation, type Observe, observationKinds } from "./observation.ts";

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: "json" | "human";
  readonly write: (line: string) => void;
  readonly now?: () => number;
  /** Of the request under way, where there are traces. */
  readonly traceId?: () => string | null;
}

/** Writes observations as JSON lines, or in a form for people on a terminal. */
export function createLog(options: LogOptions): Observe {
  const least = logLevels.indexOf(options.level);
  const format = options.format === "json" ? jsonLine : humanLine;
  const now = options.now ?? Date.now;
  return (observation) => {
    const { level } = observationKinds[observation.kind === "lines_left_out" ? observation.of : observation.kind];
    if (logLevels.indexOf(level) < least) return;
    // Work in the background may have been begun by a request, and is not about it.
    const traceId = "requestId" in observation ? options.traceId?.() : null;
    const facts: Facts = traceId ? { ...observation, ...{ traceId } } : observation;
    options.write(format(new Date(now()).toISOString(), level, facts));
  };
}

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
