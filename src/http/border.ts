import { Failure } from "../domain/errors.ts";

/** A proxy and we could take two `Host`s for different ones (RFC 9112, 3.2). The runtime joins them by commas. */
export function twoHosts(headers: Headers): Failure | null {
  return headers.get("host")?.includes(",") ? new Failure("INVALID_REQUEST", "Host: expected one") : null;
}

/** By its `Content-Length`: what comes in chunks shows its length only at its end. */
export function declaresMoreThan(maxBytes: number, headers: Headers): boolean {
  return Number(headers.get("content-length") ?? 0) > maxBytes;
}
