import { PbfReader } from "pbf";
import { until } from "./patience.ts";

type Attributes = Record<string, string | number>;

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  name: string;
  /** 1 internal, 2 server, 5 consumer. */
  kind: number;
  startMs: number;
  endMs: number;
  attributes: Attributes;
  /** 0 not set, 2 error. */
  status: number;
  resource: Attributes;
}

/** A collector that speaks OTLP over HTTP, as opentelemetry/proto/collector/trace/v1/trace_service.proto describes it. */
export interface TraceCollector {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly requests: { readonly path: string; readonly authorization: string | null }[];
  /** What it answers from now on; null: nothing, ever. */
  status: number | null;
  /** Resolves when so many requests have arrived. */
  requested(count: number): Promise<void>;
  stop(): Promise<void>;
}

export function startTraceCollector(): TraceCollector {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = new Uint8Array(await request.arrayBuffer());
      collector.requests.push({
        path: new URL(request.url).pathname,
        authorization: request.headers.get("Authorization"),
      });
      if (collector.status === null) return new Promise<Response>(() => {});
      if (collector.status === 200) collector.spans.push(...spansIn(body));
      return new Response(null, { status: collector.status });
    },
  });
  const collector: TraceCollector = {
    url: server.url.origin,
    spans: [],
    requests: [],
    status: 200,
    requested: (count) => until(() => collector.requests.length >= count),
    stop: () => server.stop(true),
  };
  return collector;
}

/** ExportTraceServiceRequest. */
function spansIn(body: Uint8Array): ReceivedSpan[] {
  const spans: ReceivedSpan[] = [];
  fields(new PbfReader(body), (tag, reader) => {
    if (tag === 1) resourceSpans(message(reader), spans);
  });
  return spans;
}

function resourceSpans(reader: PbfReader, spans: ReceivedSpan[]): void {
  const resource: Attributes = {};
  fields(reader, (tag, of) => {
    if (tag === 1) fields(message(of), (inner, one) => inner === 1 && attribute(message(one), resource));
    if (tag === 2) fields(message(of), (inner, one) => inner === 2 && spans.push(span(message(one), resource)));
  });
}

function span(reader: PbfReader, resource: Attributes): ReceivedSpan {
  const found: ReceivedSpan = {
    ...{ traceId: "", spanId: "", parentSpanId: "", name: "", kind: 0, startMs: 0, endMs: 0, status: 0 },
    ...{ attributes: {}, resource },
  };
  fields(reader, (tag, of) => {
    if (tag === 1) found.traceId = hex(of);
    if (tag === 2) found.spanId = hex(of);
    if (tag === 4) found.parentSpanId = hex(of);
    if (tag === 5) found.name = of.readString();
    if (tag === 6) found.kind = of.readVarint();
    if (tag === 7) found.startMs = of.readFixed64() / 1e6;
    if (tag === 8) found.endMs = of.readFixed64() / 1e6;
    if (tag === 9) attribute(message(of), found.attributes);
    if (tag === 15)
      fields(message(of), (inner, one) => {
        if (inner === 3) found.status = one.readVarint();
      });
  });
  return found;
}

/** KeyValue. */
function attribute(reader: PbfReader, into: Attributes): void {
  let key = "";
  fields(reader, (tag, of) => {
    if (tag === 1) key = of.readString();
    if (tag === 2)
      fields(message(of), (inner, one) => {
        if (inner === 1) into[key] = one.readString();
        if (inner === 3) into[key] = one.readVarint();
        if (inner === 4) into[key] = one.readDouble();
      });
  });
}

function fields(reader: PbfReader, read: (tag: number, reader: PbfReader) => unknown): void {
  reader.readFields((tag, _, of) => void read(tag, of), null);
}

function message(reader: PbfReader): PbfReader {
  return new PbfReader(reader.readBytes());
}

function hex(reader: PbfReader): string {
  return Buffer.from(reader.readBytes()).toString("hex");
}
