import { AsyncLocalStorage } from "node:async_hooks";
import { type Attributes, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import packageFile from "../../package.json" with { type: "json" };
import { Failure } from "../domain/errors.ts";
import type { Observation, Observe, Observed } from "./observation.ts";
import type { Tracing, TracingSettings } from "./traces.ts";

/** For the last failure to be reported. */
const graceMs = 500;

/** As the conventions ask for: a name that a caller made up would be one more series. */
const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"]);

/** Requests whose path matched nothing have no route. */
const noRoute = new Set(["other", "unknown path"]);

interface TracedRequest {
  readonly span: Span;
  readonly method: string;
  readonly startedAt: number;
  /** By the clock that only goes forward. */
  readonly began: number;
}

const headerReader = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
};

/** Spans are made of a request's observations, found by the asynchronous context. Without an answer there is none. */
export function createTracing(settings: TracingSettings, observeExport: Observe): Tracing {
  const provider = tracerProvider(settings, observeExport);
  const tracer = provider.getTracer("odograph");
  const propagator = new W3CTraceContextPropagator();
  const current = new AsyncLocalStorage<TracedRequest>();

  const child = (of: Span, name: string, from: number, to: number) => {
    tracer.startSpan(name, { startTime: from }, trace.setSpan(ROOT_CONTEXT, of)).end(to);
  };
  const storeSpans = (stored: Observed<"submission_stored">, request: TracedRequest | undefined) => {
    const { accepted, duplicate, refused, transactions, waitMs, deriveMs, commitMs, lateMs } = stored;
    const counts = { accepted, duplicate, refused, transactions };
    const attributes = Object.fromEntries(Object.entries(counts).map(([name, count]) => [`odograph.${name}`, count]));
    const tookMs = waitMs + deriveMs + commitMs + (lateMs ?? 0);
    const now = request ? request.startedAt + performance.now() - request.began : Date.now();
    const startTime = now - tookMs;
    const span = request
      ? tracer.startSpan("store frames", { startTime, attributes }, trace.setSpan(ROOT_CONTEXT, request.span))
      : tracer.startSpan("process frames", {
          startTime,
          kind: SpanKind.CONSUMER,
          attributes: { ...attributes, ...mqtt },
        });
    let from = startTime;
    for (const [name, ms] of [
      ["wait", waitMs],
      ["derive", deriveMs],
      ["commit", commitMs],
      ["derive late frames", lateMs],
    ] as const) {
      if (ms === null) continue;
      child(span, name, from, from + ms);
      from += ms;
    }
    span.end(now);
  };
  return {
    observe(observation) {
      const request = current.getStore();
      if (observation.kind === "submission_stored") storeSpans(observation, request);
      else if (request?.span.isRecording()) describe(request, observation);
    },
    around(request, answer) {
      const caller = propagator.extract(ROOT_CONTEXT, request.headers, headerReader);
      const method = knownMethods.has(request.method) ? request.method : "_OTHER";
      const startedAt = Date.now();
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, startTime: startedAt }, caller);
      const given = current.run({ span, method, startedAt, began: performance.now() }, answer);
      if (given instanceof Response) return given;
      // An answer that fails is observed elsewhere, outside of this context.
      return given.catch((error) => {
        span.setStatus({ code: SpanStatusCode.ERROR }).end();
        throw error;
      });
    },
    traceId: () => current.getStore()?.span.spanContext().traceId ?? null,
    async close() {
      const limit = Promise.withResolvers<void>();
      const timer = setTimeout(limit.resolve, sendMs + graceMs);
      await Promise.race([provider.shutdown().catch(() => {}), limit.promise]);
      clearTimeout(timer);
    },
  };
}

/** Frames that no request brought. */
const mqtt = { "messaging.system": "mqtt", "messaging.operation.type": "process" } as const;

/** By the stable conventions for HTTP, without path, query and address: a path may hold an id, a query anything. */
function describe({ span, method, startedAt, began }: TracedRequest, observation: Observation): void {
  switch (observation.kind) {
    case "request_failed":
      span.setAttribute("error.type", observation.cause instanceof Failure ? observation.cause.code : "INTERNAL");
      break;
    case "request_refused":
      span.setAttribute("odograph.error_code", observation.code);
      break;
    case "request_answered":
    case "request_aborted": {
      const { requestId, route, durationMs } = observation;
      const [, side = "", pattern = ""] = /^(ingest )?(.*)$/s.exec(route) ?? [];
      const attributes: Attributes = { "http.request.method": method, "odograph.request_id": requestId };
      if (side !== "") attributes["odograph.side"] = "ingest";
      if (!noRoute.has(pattern)) {
        attributes["http.route"] = pattern;
        span.updateName(`${method} ${pattern}`);
      }
      if (observation.kind === "request_answered") {
        attributes["http.response.status_code"] = observation.status;
        if (observation.keyId) attributes["odograph.key_id"] = observation.keyId;
        if (observation.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.setAttributes(attributes);
      span.end(startedAt + Math.max(durationMs, performance.now() - began));
    }
  }
}

/** For one batch with its retries. A retry under way would delay the end of the process, whatever else is done. */
const sendMs = 3_000;

/** Spans are sent in the background; a full queue drops the newest. A collector that is away delays no request. */
function tracerProvider(settings: TracingSettings, observe: Observe): TracerProvider {
  const { url, headers, resource, serviceName } = settings;
  const exporter = reporting(new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: sendMs }), observe);
  return new TracerProvider({
    resource: resourceFromAttributes({
      "service.instance.id": crypto.randomUUID(),
      "process.pid": process.pid,
      ...resource,
      "service.name": serviceName,
      "service.version": packageFile.version,
    }),
    sampler: samplerOf(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const [root, isParentBased] = [sampler.replace("parentbased_", ""), sampler.startsWith("parentbased_")];
  const own =
    root === "always_on"
      ? new AlwaysOnSampler()
      : root === "always_off"
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio);
  return isParentBased ? new ParentBasedSampler({ root: own }) : own;
}

/** Reports the first failure, and no other until spans were sent again. */
function reporting(exporter: SpanExporter, observe: Observe): SpanExporter {
  let isFailing = false;
  return {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS;
        if (hasFailed && !isFailing) {
          observe({ kind: "traces_not_sent", spans: spans.length, reason: reasonOf(result.error) });
        }
        isFailing = hasFailed;
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** What the collector said is left out: it may say anything. */
function reasonOf(error: (Error & { readonly code?: unknown }) | undefined): string {
  if (typeof error?.code === "number") return `the collector answered ${error.code}`;
  return error?.message || String(error?.code ?? "unknown");
}
