import type { Observe } from "./observation.ts";
import type { Tracing, TracingSettings } from "./traces.ts";

/** Traces are optional, and the packages for them are large: they are loaded only if somebody wants traces. */
export async function startTracing(settings: TracingSettings | null, observe: Observe): Promise<Tracing | null> {
  if (settings === null) return null;
  const { createTracing } = await import("./tracing.ts");
  return createTracing(settings, observe);
}
