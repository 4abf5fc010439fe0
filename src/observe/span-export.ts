import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
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
import type { Observe } from "./observation.ts";
import type { TracingSettings } from "./traces.ts";

/** For one batch with its retries. A retry under way would delay the end of the process, whatever else is done. */
export const sendMs = 3_000;

/** Spans are sent in the background; a full queue drops the newest. A collector that is away delays no request. */
export function tracerProvider(settings: TracingSettings, observe: Observe): TracerProvider {
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
