import type { Observe } from "./observation.ts";

export const samplerNames = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

export interface TracingSettings {
  readonly url: string;
  /** May hold a secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** What is said of this process beside its name and version. */
  readonly resource: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly sampler: (typeof samplerNames)[number];
  /** For the samplers that take a share of the traces. */
  readonly ratio: number;
}

export interface Tracing {
  /** Turns what is observed of a request into its span. */
  readonly observe: Observe;
  /** Answers a request within a span, which goes on with the caller's trace. */
  around(request: Request, answer: () => Promise<Response> | Response): Promise<Response> | Response;
  /** Of the request under way. */
  traceId(): string | null;
  /** Sends what is left, for a moment. */
  close(): Promise<void>;
}
