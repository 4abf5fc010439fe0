import { hostOf } from "./client.ts";
import { forbidden } from "./refusals.ts";

/** A page of another origin cannot send a custom header without a preflight request, which nobody answers. */
const ownHeader = "x-odograph-portal";

/**
 * Refuses what another site makes a browser send, in addition to the cookie that is not sent from there. The browser sets
 * `Sec-Fetch-Site`, and no script can; if it is missing (a plain http address), `Origin` is compared. A client that is no
 * browser sends neither.
 */
export function requireSameOrigin(request: Request): void {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  const isOwn = site !== null ? site === "same-origin" : origin === null || hostIn(origin) === hostOf(request);
  if (!isOwn) throw forbidden("this request comes from another site");
  if (headers.get(ownHeader) !== "1") throw forbidden("expected the header X-Odograph-Portal: 1");
}

function hostIn(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host || null : null;
}
