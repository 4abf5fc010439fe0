import type { MeterReading } from "../access/meter.ts";
import { type ErrorCode, errorTable, Failure } from "../domain/errors.ts";
import { chooseEncoding, encode, encodeReady } from "./encoding.ts";
import type { Answer } from "./route.ts";

/** What every response needs to know of its request. */
export interface Responding {
  readonly requestId: string;
  readonly acceptEncoding: string | null;
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

export function respond(answer: Answer, responding: Responding): Response {
  const encoding = chooseEncoding(responding.acceptEncoding);
  const headers: Record<string, string> = {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    Vary: "Accept-Encoding",
    ...commonHeaders(responding),
    ...answer.headers,
  };
  if (typeof answer.body !== "string") {
    headers["Cache-Control"] = "private, no-cache";
    headers["ETag"] = answer.body.etag;
    const packed = encodeReady(answer.body, encoding);
    if (packed) headers["Content-Encoding"] = encoding ?? "";
    return new Response(packed ?? answer.body.bytes, { headers });
  }
  if (encoding === null) return new Response(answer.body, { headers });
  const packed = encode(encoder.encode(answer.body), encoding);
  if (packed) headers["Content-Encoding"] = encoding;
  return new Response(packed ?? answer.body, { headers });
}

/** Nothing has changed: the tag again, and no body. */
export function respondNotModified(etag: string, responding: Responding): Response {
  const headers = {
    "Cache-Control": "private, no-cache",
    Vary: "Accept-Encoding",
    ETag: etag,
    ...commonHeaders(responding),
  };
  return new Response(null, { status: 304, headers });
}

/** Every failure has one body shape. What is not for the public has been logged; here it is INTERNAL. */
export function respondFailure(failure: Failure, responding: Responding): Response {
  const isPublic = errorTable[failure.code].public;
  const code = isPublic ? failure.code : "INTERNAL";
  const message = isPublic ? failure.message : "the server failed; try again with backoff";
  const fields = failure instanceof ApiFailure ? failure.fields : {};
  const body = JSON.stringify({ error: { code, message, ...fields }, request_id: responding.requestId });
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    ...commonHeaders(responding),
    ...(failure instanceof ApiFailure ? failure.headers : {}),
  };
  return new Response(body, { status: errorTable[failure.code].status, headers });
}

function commonHeaders({ requestId, reading }: Responding): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
    "X-RateLimit-Limit": String(reading.limitPerDay),
    "X-RateLimit-Remaining": String(reading.remainingDay),
    "X-RateLimit-Reset": String(reading.resetSeconds),
    "X-RateLimit-Limit-Second": String(reading.limitPerSecond),
    "X-RateLimit-Remaining-Second": String(reading.remainingSecond),
  };
}
