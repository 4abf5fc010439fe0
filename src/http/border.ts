import { Failure } from "../domain/errors.ts";

/**
 * The failure of a request with more than one `Host`, which a proxy and we could take for requests to different hosts
 * (RFC 9112, section 3.2). The runtime joins them with commas; no host has one.
 */
export function twoHosts(headers: Headers): Failure | null {
  return headers.get("host")?.includes(",") ? new Failure("INVALID_REQUEST", "Host: expected one") : null;
}

/** By its `Content-Length`: what comes in chunks shows its length only at its end. */
export function declaresMoreThan(maxBytes: number, headers: Headers): boolean {
  return Number(headers.get("content-length") ?? 0) > maxBytes;
}
