import { Failure } from "../domain/errors.ts";
import { mostBodyBytes } from "../ingest/port.ts";

/** A sender that dribbles and a connection that only idles are let go after this. */
const idleTimeoutS = 30;
/**
 * Reads have no body, and what people enter is small, but for a list of some 25,000 devices. A body of frames that is too
 * large is refused by the ingest side itself, in words.
 */
const maxBodyBytes = { people: 1024 * 1024, frames: 4 * mostBodyBytes } as const;
const drainMs = 10_000;

export interface Listening {
  readonly hostname: string;
  readonly port: number;
  /** The flag that chooses the port, for the message when it cannot be had. */
  readonly flag: string;
  /** Whether other processes of ours listen on the same port. */
  readonly shared: boolean;
  /** What the requests are, which decides how large they may be. */
  readonly requests: keyof typeof maxBodyBytes;
  readonly fetch: (request: Request, server: Bun.Server<undefined>) => Promise<Response> | Response;
}

export function listen({ hostname, port, flag, shared, requests, fetch }: Listening): Bun.Server<undefined> {
  const limits = { idleTimeout: idleTimeoutS, maxRequestBodySize: maxBodyBytes[requests] };
  try {
    // `development` would answer what is unforeseen with a page of our source.
    return Bun.serve({ hostname, port, fetch, reusePort: shared, development: false, ...limits });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EADDRINUSE" || code === "EACCES") {
      const reason = code === "EACCES" ? "may not be used" : "is taken by another program";
      const message = `${hostname}:${port} ${reason}; choose another with --${flag}`;
      throw new Failure("PORT_UNAVAILABLE", message, { cause: error });
    }
    const message = `--host: expected an address of this machine, got "${hostname}" (${code ?? "it cannot be used"})`;
    throw new Failure("WRONG_SETTING", message, { cause: error });
  }
}

/** The address of whoever is connected, perhaps a proxy. Looking it up has its price, so it is left to whoever needs it. */
export function peerOf(request: Request, server: Bun.Server<undefined>): () => string {
  return () => server.requestIP(request)?.address ?? "unknown";
}

/** Tells at once that a port cannot be had, before long work is done for nothing. */
export function requireFreePort(hostname: string, port: number, flag: string): void {
  if (port === 0) return;
  const fetch = async () => new Response();
  listen({ hostname, port, flag, shared: false, requests: "people", fetch }).stop(true);
}

/** Requests under way may finish; a connection that only idles, or one that never ends, does not hold the exit. */
export async function drain(server: Bun.Server<undefined>): Promise<void> {
  const drained = server.stop();
  const timer = setTimeout(() => server.stop(true), drainMs);
  await drained;
  clearTimeout(timer);
}
