import { chooseEncoding, encode } from "../api/encoding.ts";
import { encodedTag, matchingTag } from "../api/etag.ts";
import { ApiFailure } from "../api/respond.ts";
import { type ErrorCode, errorTable, type Failure } from "../domain/errors.ts";
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
  const encoding = chooseEncoding(request.headers.get("accept-encoding"));
  const tagNow = () => encodedTag(etag, packed(file, encoding) && encoding);
  const unchanged = matchingTag(request.headers.get("if-none-match") ?? "", etag, tagNow);
  const headers = new Headers({ "Cache-Control": cacheControl, ETag: unchanged ?? tagNow(), Vary: "Accept-Encoding" });
  if (unchanged !== null) return new Response(null, { status: 304, headers });
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
]);

export function respondPortalFailure(failure: Failure, request: Request, requestId: string): Response {
  const isTold = toldCodes.has(failure.code);
  const code = isTold ? failure.code : "INTERNAL";
  const message = isTold ? failure.message : "the server failed; try again in a moment";
  const extra = failure instanceof ApiFailure ? failure : { fields: {}, headers: {} };
  const body = { error: { code, message, ...extra.fields }, request_id: requestId };
  return respondJson({ status: errorTable[code].status, body, headers: extra.headers }, request);
}
