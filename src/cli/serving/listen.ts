import { Failure } from "../../domain/errors.ts";
import { lastResort } from "../../http/last-resort.ts";
import type { Observe } from "../../observe/observation.ts";
import type { Tracing } from "../../observe/traces.ts";

/** A slow sender or an idle connection is closed after this. */
const idleTimeoutS = 30;
/** The servers refuse a body that is too large with a message; the runtime refuses one this many times as large. */
const runtimeBodyFactor = 4;
const drainMs = 10_000;

export interface ListenOptions {
  readonly hostname: string;
  readonly port: number;
  /** The flag that chooses the port, for the message if it cannot be opened. */
  readonly flag: string;
  /** Whether other processes of ours listen on the same port. */
  readonly shared: boolean;
  /** For the log, if an answer fails unexpectedly. */
  readonly side: "public side" | "ingest side";
  readonly maxBodyBytes: number;
  readonly observe: Observe;
  readonly tracing: Tracing | null;
  /** Whether clients are asked to go elsewhere, because this server is about to stop. */
  readonly isDraining: () => boolean;
  readonly fetch: (request: Request, server: Bun.Server<undefined>) => Promise<Response> | Response;
}

export function listen(listening: ListenOptions): Bun.Server<undefined> {
  const { hostname, port, flag, shared, side, observe, tracing, isDraining } = listening;
  const send = (answer: Response) => (isDraining() ? lastOnConnection(answer) : answer);
  const audience = side === "ingest side" ? "sender" : "api";
  const fetch: ListenOptions["fetch"] = (request, server) => {
    const answer = tracing
      ? tracing.around(request, () => listening.fetch(request, server))
      : listening.fetch(request, server);
    return answer instanceof Response ? send(answer) : answer.then(send);
  };
  const limits = { idleTimeout: idleTimeoutS, maxRequestBodySize: runtimeBodyFactor * listening.maxBodyBytes };
  const error = lastResort(observe, side, audience);
  try {
    // `development` would answer unexpected errors with a page of our source.
    return Bun.serve({ hostname, port, fetch, error, reusePort: shared, development: false, ...limits });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if ((code === "EADDRINUSE" && canListenOn(hostname)) || code === "EACCES") {
      const reason = code === "EACCES" ? "may not be used" : "is taken by another program";
      const message = `${hostname}:${port} ${reason}; choose another with --${flag}`;
      throw new Failure("PORT_UNAVAILABLE", message, { cause: error });
    }
    // The runtime's other codes may be those of an earlier call.
    const reason = code === "EADDRNOTAVAIL" ? code : "it cannot be used";
    const message = `--host: expected an address of this machine, got "${hostname}" (${reason})`;
    throw new Failure("WRONG_SETTING", message, { cause: error });
  }
}

/** The runtime may say that the port is taken when it is the address that cannot be used. Some port is always free. */
function canListenOn(hostname: string): boolean {
  try {
    Bun.serve({ hostname, port: 0, fetch: () => new Response() }).stop(true);
    return true;
  } catch {
    return false;
  }
}

/** The runtime closes the connection after this answer, and the client does not send the next request into it. */
function lastOnConnection(answer: Response): Response {
  answer.headers.set("Connection", "close");
  return answer;
}

/** The address of the client or of a proxy before us. Looking it up costs something, so it is done only when needed. */
export function peerOf(request: Request, server: Bun.Server<undefined>): () => string {
  return () => server.requestIP(request)?.address ?? "unknown";
}

/**
 * To be called while an answer is being made that has nothing to send for a while: the connection is idle from then on, not since
 * it last sent something. One that does not take what it is sent is closed as any other.
 */
export function stayOpenOf(request: Request, server: Bun.Server<undefined>): () => void {
  return () => server.timeout(request, idleTimeoutS);
}

/** Fails at once if the port cannot be opened, before long work is done for nothing. */
export function requireFreePort(hostname: string, port: number, flag: string): void {
  if (port === 0) return;
  const nobody = {
    side: "public side",
    maxBodyBytes: 0,
    observe: () => {},
    tracing: null,
    isDraining: () => false,
    fetch: async () => new Response(),
  } as const;
  listen({ hostname, port, flag, shared: false, ...nobody }).stop(true);
}

/** Enough for a few programs that run beside each other; more would hide what is wrong. */
const portsToTry = 20;

/** The first free port from this one on, except for `taken`. */
export function nextFreePort(hostname: string, port: number, flag: string, taken: number | null = null): number {
  for (let candidate = port; ; candidate++) {
    try {
      if (candidate !== taken) {
        requireFreePort(hostname, candidate, flag);
        return candidate;
      }
    } catch (error) {
      const isLast = candidate === port + portsToTry || candidate === 65_535;
      if (isLast || !(error instanceof Failure) || error.code !== "PORT_UNAVAILABLE") throw error;
    }
  }
}

/** Requests under way may finish; an idle connection, or one that never ends, does not delay the exit. */
export async function drain(server: Bun.Server<undefined>): Promise<void> {
  const drained = server.stop();
  const timer = setTimeout(() => server.stop(true), drainMs);
  await drained;
  clearTimeout(timer);
}
