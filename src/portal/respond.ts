import { ApiFailure } from "../api/respond.ts";
import { type ErrorCode, errorTable, type Failure } from "../domain/errors.ts";
import { chooseEncoding, encode } from "../http/encoding.ts";
import { encodedTag, matchingTag } from "../http/etag.ts";
import { type PortalFile, packed } from "./bundle.ts";
import type { PortalAnswer } from "./route.ts";

const encoder = new TextEncoder();
const json = { "Content-Type": "application/json; charset=utf-8", Vary: "Accept-Encoding" };

/** Nothing that is made for one user is kept by a browser or a proxy. */
export function respondJson({ status, body, headers, cookies }: PortalAnswer, request: Request): Response {
  const own = { "Cache-Control": "no-store", ...headers };
  if (body === undefined) return withCookies(new Response(null, { status, headers: own }), cookies);
  const bytes = encoder.encode(JSON.stringify(body));
  const encoding = chooseEncoding(request.headers.get("accept-encoding"));
  const compressed = encode(bytes, encoding);
  const encoded = compressed && encoding ? { "Content-Encoding": encoding } : {};
  const all = { ...json, ...own, ...encoded };
  return withCookies(new Response(compressed ?? bytes, { status, headers: all }), cookies);
}

/** Each in a header of its own: they cannot be joined. */
function withCookies(response: Response, cookies: readonly string[] = []): Response {
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
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
