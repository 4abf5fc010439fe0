import { isIP } from "node:net";

/** The longest address as text. One with a zone may be longer, but does not come over the internet. */
const longestAddress = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255".length;

/**
 * Where a request comes from, for counting by address. A proxy on this machine is believed, but only the last address in
 * its list: the client may have made up those before it. Text that is no address is ignored, so that nobody can fill the
 * memory with it.
 */
export function clientAddress(headers: Headers, peer: string): string {
  if (!/^(?:127\.|::1$|::ffff:127\.)/.test(peer)) return peer;
  const forwarded = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  return forwarded.length <= longestAddress && isIP(forwarded) !== 0 ? forwarded : peer;
}
