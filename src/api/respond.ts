import type { MeterReading } from "../access/meter.ts";
import type { Audience, Failure } from "../domain/errors.ts";
import { chooseEncoding, compressionStream, type Encoding, encode, encodeReady } from "../http/encoding.ts";
import { encodedTag } from "../http/etag.ts";
import { failureAnswer } from "../http/failures.ts";
import { lateBody } from "../http/late-body.ts";
import { isReadyBody } from "../http/ready-body.ts";
import { contentTypes } from "./formats/format.ts";
import type { Answer } from "./route.ts";
import { StampedHeaders } from "./stamped-headers.ts";

export interface ResponseContext {
  readonly requestId: string;
  readonly headers: Headers;
  readonly reading: MeterReading;
  /** Whether the answer waited for something outside of this process. */
  readonly isLate?: boolean;
}

const encoder = new TextEncoder();

const cacheable = { "Cache-Control": "private, no-cache", "X-Content-Type-Options": "nosniff" };
const uncacheable = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
const json = { "Content-Type": contentTypes.json };

/** The answers of what has one format, and of lists, which also depend on `Accept`. */
const single = headersFor("Accept-Encoding");
const list = headersFor("Accept, Accept-Encoding");
const failed = new StampedHeaders({ ...uncacheable, ...json });
const redirected = new StampedHeaders(uncacheable);

function headersFor(vary: string) {
  return {
    tagged: new StampedHeaders({ ...cacheable, ...json, Vary: vary }),
    notModified: new StampedHeaders({ ...cacheable, Vary: vary }),
    untagged: new StampedHeaders({ ...uncacheable, ...json, Vary: vary }),
  };
}

export function respond(answer: Answer, context: ResponseContext): Response {
  const response = encoded(answer, context);
  const { format = "json" } = answer;
  if (format !== "json") response.headers.set("Content-Type", contentTypes[format]);
  return response;
}

function encoded({ body, format, headers: own = {} }: Answer, context: ResponseContext): Response {
  const { requestId, reading, isLate = false } = context;
  const headersOf = format === undefined ? single : list;
  const encoding = chooseEncoding(context.headers.get("accept-encoding"));
  if (isReadyBody(body)) {
    const encoded = encodeReady(body, encoding);
    const used = encoded && encoding;
    const headers =
      body.etag === null
        ? headersOf.untagged.with(requestId, reading)
        : headersOf.tagged.tagged(encodedTag(body.etag, used), requestId, reading);
    const sent = isLate ? lateBody(encoded ?? body.bytes) : (encoded ?? body.blob);
    return added(new Response(sent, { headers }), used, own);
  }
  const headers = headersOf.untagged.with(requestId, reading);
  if (body instanceof ReadableStream) {
    const encoded = encoding && body.pipeThrough(compressionStream(encoding));
    return added(new Response(encoded ?? body, { headers }), encoding, own);
  }
  const { bytes, release } = typeof body === "string" ? { bytes: encoder.encode(body), release: () => {} } : body;
  const encoded = encode(bytes, encoding);
  const sent = isLate ? lateBody(encoded ?? bytes, release) : (encoded ?? bytes);
  const response = added(new Response(sent, { headers }), encoded && encoding, own);
  // A Response copies bytes at once. Those of a stream are needed until they are written.
  if (encoded || !(sent instanceof ReadableStream)) release();
  return response;
}

/** Nothing has changed: the tag that the client sent, and no body. Of the routes only lists have tags. */
export function respondNotModified(etag: string, context: ResponseContext, of: "list" | "page" = "list"): Response {
  const { notModified } = of === "list" ? list : single;
  return new Response(null, { status: 304, headers: notModified.tagged(etag, context.requestId, context.reading) });
}

export function respondRedirect(location: string, { requestId, reading }: ResponseContext): Response {
  const headers = redirected.with(requestId, reading);
  return added(new Response(null, { status: 302, headers }), null, { Location: location });
}

export function respondFailure(
  failure: Failure,
  { requestId, reading }: ResponseContext,
  audience: Audience = "api",
): Response {
  const { status, headers: own, body } = failureAnswer(failure, audience, requestId);
  const headers = failed.with(requestId, reading);
  return added(new Response(JSON.stringify(body), { status, headers }), null, own);
}

function added(response: Response, encoding: Encoding, headers: Readonly<Record<string, string>>): Response {
  if (encoding) response.headers.set("Content-Encoding", encoding);
  for (const name in headers) response.headers.set(name, headers[name] as string);
  return response;
}
