import type { MeterReading } from "../access/meter.ts";
import { type ErrorCode, errorTable, Failure } from "../domain/errors.ts";
import { chooseEncoding, type Encoding, encode, encodeReady } from "../http/encoding.ts";
import { encodedTag } from "../http/etag.ts";
import type { Answer } from "./route.ts";
import { StampedHeaders } from "./stamped-headers.ts";

/** What every response needs to know of its request. */
export interface ResponseContext {
  readonly requestId: string;
  readonly headers: Headers;
  readonly reading: MeterReading;
}

/** A failure with what its body says beside code and message. */
export class ApiFailure extends Failure {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { fields?: Record<string, unknown>; headers?: Record<string, string> },
  ) {
    super(code, message);
    this.fields = extra.fields ?? {};
    this.headers = extra.headers ?? {};
  }
}

const encoder = new TextEncoder();
const json = "application/json; charset=utf-8";

const cacheable = { "Cache-Control": "private, no-cache", "X-Content-Type-Options": "nosniff" };
const uncacheable = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
const negotiated = { "Content-Type": json, Vary: "Accept-Encoding" };
const headersOf = {
  tagged: new StampedHeaders({ ...cacheable, ...negotiated }),
  notModified: new StampedHeaders({ ...cacheable, Vary: "Accept-Encoding" }),
  untagged: new StampedHeaders({ ...uncacheable, ...negotiated }),
  failure: new StampedHeaders({ ...uncacheable, "Content-Type": json }),
  redirect: new StampedHeaders(uncacheable),
};

export function respond(answer: Answer, responding: ResponseContext): Response {
  const encoding = chooseEncoding(responding.headers.get("accept-encoding"));
  const { body } = answer;
  if (typeof body === "string") {
    const bytes = encoder.encode(body);
    return packedResponse(answer, bytes, encode(bytes, encoding), encoding, stamped(headersOf.untagged, responding));
  }
  if ("etag" in body) {
    const { requestId, reading } = responding;
    const packed = encodeReady(body, encoding);
    const headers =
      body.etag === null
        ? headersOf.untagged.with(requestId, reading)
        : headersOf.tagged.tagged(encodedTag(body.etag, packed && encoding), requestId, reading);
    return packedResponse(answer, body.bytes, packed, encoding, headers);
  }
  if (body instanceof ReadableStream) {
    return streamedResponse(answer, body, encoding, stamped(headersOf.untagged, responding));
  }
  const { bytes } = body;
  const headers = stamped(headersOf.untagged, responding);
  const response = packedResponse(answer, bytes, encode(bytes, encoding), encoding, headers);
  // A Response has its own copy of the bytes from the start.
  body.giveBack();
  return response;
}

function packedResponse(
  answer: Answer,
  bytes: Uint8Array<ArrayBuffer>,
  packed: Uint8Array<ArrayBuffer> | null,
  encoding: Encoding,
  headers: Headers,
): Response {
  const response = new Response(packed ?? bytes, { headers });
  if (packed && encoding) response.headers.set("Content-Encoding", encoding);
  if (answer.headers) addHeaders(response, answer.headers);
  return response;
}

/** The library's types have not settled yet on what a stream of bytes is made of. */
type PassThrough = ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array>;

function streamedResponse(
  answer: Answer,
  body: ReadableStream<Uint8Array>,
  encoding: Encoding,
  headers: Headers,
): Response {
  const packed = encoding && body.pipeThrough(new CompressionStream(encoding) as PassThrough);
  const response = new Response(packed ?? body, { headers });
  if (encoding) response.headers.set("Content-Encoding", encoding);
  if (answer.headers) addHeaders(response, answer.headers);
  return response;
}

/** Nothing has changed: the tag that the client named, and no body. */
export function respondNotModified(etag: string, responding: ResponseContext): Response {
  const headers = headersOf.notModified.tagged(etag, responding.requestId, responding.reading);
  return new Response(null, { status: 304, headers });
}

/** What is looked for is elsewhere. */
export function respondRedirect(location: string, responding: ResponseContext): Response {
  const response = new Response(null, { status: 302, headers: stamped(headersOf.redirect, responding) });
  response.headers.set("Location", location);
  return response;
}

/** Every failure has one body shape. What is not for the public has been logged; here it is INTERNAL. */
export function failureBody(failure: Failure, requestId: string): object {
  const isPublic = errorTable[failure.code].public;
  const code = isPublic ? failure.code : "INTERNAL";
  const message = isPublic ? failure.message : "the server failed; try again with backoff";
  const fields = failure instanceof ApiFailure ? failure.fields : {};
  return { error: { code, message, ...fields }, request_id: requestId };
}

export function respondFailure(failure: Failure, responding: ResponseContext): Response {
  const body = JSON.stringify(failureBody(failure, responding.requestId));
  const { status } = errorTable[failure.code];
  const response = new Response(body, { status, headers: stamped(headersOf.failure, responding) });
  if (failure instanceof ApiFailure) addHeaders(response, failure.headers);
  return response;
}

function stamped(headers: StampedHeaders, { requestId, reading }: ResponseContext): Headers {
  return headers.with(requestId, reading);
}

function addHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) response.headers.set(name, headers[name] as string);
}
