import { Failure } from "../../domain/errors.ts";

/** Pages that are served by the user's own machine. */
const ownMachine = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Refuses what a web page makes a browser send. By changing what its name resolves to, a page can make a server on the
 * user's machine or network its own origin, so comparing with `Host` would not help: no page may call, except one of the
 * machine itself. An application names no origin, or one with a scheme of its own.
 */
export function refuseWebPages(headers: Headers): void {
  const origin = headers.get("origin");
  if (origin === null || isHarmless(origin)) return;
  throw new Failure("FORBIDDEN", "web pages may not call this address: leave out the header Origin");
}

function isHarmless(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return (protocol !== "http:" && protocol !== "https:") || ownMachine.includes(hostname);
}
