import type { MeterReading } from "../access/meter.ts";
import { type ErrorCode, errorTable, Failure } from "../domain/errors.ts";
import { chooseEncoding, type Encoding, encode, encodeReady } from "./encoding.ts";
import type { Answer } from "./route.ts";

/** What every response needs to know of its request. */
export interface Responding {
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

export function respond(answer: Answer, responding: Responding): Response {
  const encoding = chooseEncoding(responding.headers.get("accept-encoding"));
  const { body } = answer;
  if (typeof body !== "string" && "etag" in body) {
    const headers = commonHeaders(responding, "private, no-cache");
    headers["Content-Type"] = json;
    headers.Vary = "Accept-Encoding";
    headers.ETag = body.etag;
    if (answer.headers) Object.assign(headers, answer.headers);
    return packedResponse(body.bytes, encodeReady(body, encoding), encoding, headers);
  }
  const headers = commonHeaders(responding, "no-store");
  headers["Content-Type"] = json;
  headers.Vary = "Accept-Encoding";
  if (answer.headers) Object.assign(headers, answer.headers);
  if (body instanceof ReadableStream) return streamedResponse(body, encoding, headers);
  const bytes = typeof body === "string" ? encoder.encode(body) : body.bytes;
  const response = packedResponse(bytes, encode(bytes, encoding), encoding, headers);
  // A Response has its own copy of the bytes from the start.
  if (typeof body !== "string") body.giveBack();
  return response;
}

function packedResponse(
  bytes: Uint8Array<ArrayBuffer>,
  packed: Uint8Array<ArrayBuffer> | null,
  encoding: Encoding,
  headers: Record<string, string>,
): Response {
  if (packed && encoding) headers["Content-Encoding"] = encoding;
  return new Response(packed ?? bytes, { headers });
}

/** The library's types have not settled yet on what a stream of bytes is made of. */
type PassThrough = ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array>;

function streamedResponse(
  body: ReadableStream<Uint8Array>,
  encoding: Encoding,
  headers: Record<string, string>,
): Response {
  if (encoding === null) return new Response(body, { headers });
  headers["Content-Encoding"] = encoding;
  return new Response(body.pipeThrough(new CompressionStream(encoding) as PassThrough), { headers });
}

/** Nothing has changed: the tag again, and no body. */
export function respondNotModified(etag: string, responding: Responding): Response {
  const headers = commonHeaders(responding, "private, no-cache");
  headers.Vary = "Accept-Encoding";
  headers.ETag = etag;
  return new Response(null, { status: 304, headers });
}

/** What is looked for is elsewhere. */
export function respondRedirect(location: string, responding: Responding): Response {
  const headers = commonHeaders(responding, "no-store");
  headers.Location = location;
  return new Response(null, { status: 302, headers });
}

/** Every failure has one body shape. What is not for the public has been logged; here it is INTERNAL. */
export function failureBody(failure: Failure, requestId: string): object {
  const isPublic = errorTable[failure.code].public;
  const code = isPublic ? failure.code : "INTERNAL";
  const message = isPublic ? failure.message : "the server failed; try again with backoff";
  const fields = failure instanceof ApiFailure ? failure.fields : {};
  return { error: { code, message, ...fields }, request_id: requestId };
}

export function respondFailure(failure: Failure, responding: Responding): Response {
  const body = JSON.stringify(failureBody(failure, responding.requestId));
  const headers = commonHeaders(responding, "no-store");
  headers["Content-Type"] = json;
  if (failure instanceof ApiFailure) Object.assign(headers, failure.headers);
  return new Response(body, { status: errorTable[failure.code].status, headers });
}

function commonHeaders({ requestId, reading }: Responding, cacheControl: string): Record<string, string> {
  return {
    "Cache-Control": cacheControl,
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
    "X-RateLimit-Limit": String(reading.limitPerDay),
    "X-RateLimit-Remaining": String(reading.remainingDay),
    "X-RateLimit-Reset": String(reading.resetSeconds),
    "X-RateLimit-Limit-Second": String(reading.limitPerSecond),
    "X-RateLimit-Remaining-Second": String(reading.remainingSecond),
  };
}
