import { networkOf } from "../access/address-meter.ts";
import type { Session } from "../access/sessions.ts";
import type { Failure } from "../domain/errors.ts";
import { chooseEncoding, type Encoding, encode, encodeReady } from "../http/encoding.ts";
import { encodedTag, unchangedTag } from "../http/etag.ts";
import { failureAnswer, observeFailure } from "../http/failures.ts";
import { jsonType } from "../http/json.ts";
import type { PortalFile } from "./bundle.ts";
import type { AnyAnswer, PortalCall, PortalDeps } from "./route.ts";

const encoder = new TextEncoder();

/** Nothing that is made for one user is stored by a browser or a proxy. */
export function respondJson({ status = 200, body, headers, cookies = [] }: AnyAnswer, request: Request): Response {
  const bytes = body === undefined ? null : encoder.encode(JSON.stringify(body));
  const encoding = chooseEncoding(request.headers.get("accept-encoding"));
  const encoded = bytes && encode(bytes, encoding);
  const ofBody = bytes && negotiated(jsonType, encoded && encoding);
  const all = { ...ofBody, "Cache-Control": "no-store", ...headers };
  const response = new Response(encoded ?? bytes, { status, headers: all });
  // Each in its own header: they cannot be joined.
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
}

/** A file that is the same for everybody. */
export function respondPortalFile({ body, contentType }: PortalFile, request: Request, cacheControl: string): Response {
  const caching = { "Cache-Control": cacheControl, Vary: "Accept-Encoding" };
  const unchanged = unchangedTag(request.headers, body);
  if (unchanged !== null) return new Response(null, { status: 304, headers: { ...caching, ETag: unchanged } });
  const encoding = chooseEncoding(request.headers.get("accept-encoding"));
  const encoded = encodeReady(body, encoding);
  const used = encoded && encoding;
  const headers = { ...negotiated(contentType, used), ...caching, ETag: encodedTag(body.etag ?? "", used) };
  return new Response(encoded ?? body.bytes, { headers });
}

function negotiated(contentType: string, encoding: Encoding): Record<string, string> {
  const headers = { "Content-Type": contentType, Vary: "Accept-Encoding" };
  return encoding ? { ...headers, "Content-Encoding": encoding } : headers;
}

/** Answers with the failure and logs it. */
export function refusePortalCall(
  { observe }: PortalDeps,
  call: PortalCall,
  failure: Failure,
  session: Session | null,
): Response {
  const { request, requestId, routeName: route, address } = call;
  const caller = session ? { userId: session.user.id } : { network: networkOf(address()) };
  observeFailure(observe, { requestId, route, caller }, failure);
  return respondJson(failureAnswer(failure, "portal", requestId), request);
}
