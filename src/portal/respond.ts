import { matchesEtag } from "../api/not-modified.ts";
import { ApiFailure } from "../api/respond.ts";
import { type ErrorCode, errorTable, type Failure } from "../domain/errors.ts";
import { chooseEncoding, encode } from "../http/encoding.ts";
import { type PortalFile, packed } from "./bundle.ts";
import type { PortalAnswer } from "./route.ts";

const encoder = new TextEncoder();
const json = { "Content-Type": "application/json; charset=utf-8", Vary: "Accept-Encoding" };

/** Nothing that is made for one user is kept by a browser or a proxy. */
export function respondJson({ status, body, headers }: PortalAnswer, request: Request): Response {
  const own = { "Cache-Control": "no-store", ...headers };
  if (body === undefined) return new Response(null, { status, headers: own });
  const bytes = encoder.encode(JSON.stringify(body));
  const encoding = chooseEncoding(request.headers.get("accept-encoding"));
  const compressed = encode(bytes, encoding);
  const encoded = compressed && encoding ? { "Content-Encoding": encoding } : {};
  return new Response(compressed ?? bytes, { status, headers: { ...json, ...own, ...encoded } });
}

/** A file that is the same for everybody. */
export function respondFile(file: PortalFile, request: Request, cacheControl: string): Response {
  const { etag, bytes } = file.body;
  const headers = new Headers({ "Cache-Control": cacheControl, ETag: etag, Vary: "Accept-Encoding" });
  if (matchesEtag(request.headers.get("if-none-match") ?? "", etag))
    return new Response(null, { status: 304, headers });
  const encoding = chooseEncoding(request.headers.get("accept-encoding"));
  const compressed = packed(file, encoding);
  headers.set("Content-Type", file.contentType);
  if (compressed && encoding) headers.set("Content-Encoding", encoding);
  return new Response(compressed ?? bytes, { headers });
}

/** What a person is told of. Everything else is our fault, and stands in the log. */
const toldCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "INVALID_REQUEST",
  "NOT_SIGNED_IN",
  "FORBIDDEN",
  "NOT_FOUND",
  "CONFLICT",
  "METHOD_NOT_ALLOWED",
  "RATE_LIMITED",
  "TOO_MANY_ATTEMPTS",
  "BODY_TOO_LARGE",
  "BODY_TOO_SLOW",
  "CLIENT_GONE",
  "UNAVAILABLE",
]);

export function respondPortalFailure(failure: Failure, request: Request, requestId: string): Response {
  const isTold = toldCodes.has(failure.code);
  const code = isTold ? failure.code : "INTERNAL";
  const message = isTold ? failure.message : "the server failed; try again in a moment";
  const extra = failure instanceof ApiFailure ? failure : { fields: {}, headers: {} };
  const body = { error: { code, message, ...extra.fields }, request_id: requestId };
  const { status } = errorTable[code];
  const headers = status === 503 ? { ...extra.headers, "Retry-After": "5" } : extra.headers;
  return respondJson({ status, body, headers }, request);
}
