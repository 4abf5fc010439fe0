import { boundLog } from "./bound-log.ts";
import { createLog, type LogOptions } from "./log.ts";
import { createMetrics, type KnownRequests, type Metrics } from "./metrics.ts";
import type { Observe } from "./observation.ts";
import type { Tracing, TracingSettings } from "./traces.ts";

export interface ObservingOptions {
  readonly log: Omit<LogOptions, "traceId">;
  readonly tracing: TracingSettings | null;
  readonly known: readonly KnownRequests[];
}

export interface Observing {
  readonly observe: Observe;
  readonly metrics: Metrics;
  readonly tracing: Tracing | null;
  /** Sends the spans that are left, and writes what the log has left out. */
  close(): Promise<void>;
}

/** Log, metrics and traces of one process or thread, all fed by the same observations. */
export async function startObserving({ log: options, tracing: settings, known }: ObservingOptions): Promise<Observing> {
  const metrics = createMetrics(...known);
  const tracing = settings && (await startTracing(settings, (observation) => bounded.observe(observation)));
  const log = createLog(tracing ? { ...options, traceId: tracing.traceId } : options);
  const count: Observe = (observation) => {
    metrics.observe(observation);
    tracing?.observe(observation);
  };
  const bounded = boundLog(log, tracing ? count : metrics.observe);
  return {
    observe: bounded.observe,
    metrics,
    tracing,
    async close() {
      await tracing?.close();
      bounded.close();
    },
  };
}

/** The packages for traces are large: they are loaded only if traces are wanted. */
async function startTracing(settings: TracingSettings, observe: Observe): Promise<Tracing> {
  const { createTracing } = await import("./tracing.ts");
  return createTracing(settings, observe);
}
