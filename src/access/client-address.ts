import { isIP } from "node:net";

/** The most that an address takes as text. One with a zone may be longer, but does not come over the internet. */
const longestAddress = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255".length;

/**
 * Where a request comes from, for counting by address. A proxy on this machine is believed to tell, as the last in its
 * list: what stands before that, the client may have made up. What is no address is not believed, so nobody can fill the
 * memory of what is counted.
 */
export function clientAddress(headers: Headers, peer: string): string {
  if (!/^(?:127\.|::1$|::ffff:127\.)/.test(peer)) return peer;
  const forwarded = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  return forwarded.length <= longestAddress && isIP(forwarded) !== 0 ? forwarded : peer;
}
