import { errorOf, OdographError } from "./errors.ts";

export interface ClientOptions {
  /** Where the API is, with its version: `https://fleet.example/v1`. */
  readonly url: string;
  /** The API key. Keep it on a server: whoever has it can read the fleet. */
  readonly key: string;
  /** How often a call is tried again that the server could not answer, or not yet. Default: 4. */
  readonly retries?: number | undefined;
  /** A call that would have to wait longer fails at once, as when the day's requests are used up. Default: 60. */
  readonly longestWaitS?: number | undefined;
  /** How long one try may take. Default: 60. */
  readonly timeoutS?: number | undefined;
  /** In the place of the global one, e.g. with a proxy. */
  readonly fetch?: Fetch | undefined;
}

export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

export interface CallOptions {
  /** Ends the call, and the waiting before it is tried again. */
  readonly signal?: AbortSignal | undefined;
}

export type Query = object;

export interface Answer {
  readonly headers: Headers;
  /** Null: nothing has changed since the answer that `etag` names. */
  readonly body: unknown;
}

export type Send = (
  path: string,
  query: Query,
  options: CallOptions & { readonly etag?: string | null },
) => Promise<Answer>;

const firstPauseMs = 500;

/** Calls the API, as often as it takes within the options. */
export function createTransport(options: ClientOptions, onHeaders: (headers: Headers) => void): Send {
  const { url, key, retries = 4, longestWaitS = 60, timeoutS = 60 } = options;
  // Looked up at each call: the global one may be replaced later, and must not be called as a method of ours.
  const call: Fetch = (address, init) => (options.fetch ?? globalThis.fetch)(address, init);
  const base = new URL(url).href.replace(/\/+$/, "");
  // Told here, and without the key: what `fetch` would say of it may end up in a log.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError("key: expected an API key, without spaces");
  return async (path, query, { signal, etag }) => {
    const address = `${base}${path}${queryText(query)}`;
    const headers = { Authorization: `Bearer ${key}`, ...(etag ? { "If-None-Match": etag } : {}) };
    const attempt = async (): Promise<Answer> => {
      const timeout = AbortSignal.timeout(timeoutS * 1000);
      const response = await call(address, { headers, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
      onHeaders(response.headers);
      if (response.status === 304) return { headers: response.headers, body: null };
      if (!response.ok) throw await errorOf(response);
      return { headers: response.headers, body: await response.json() };
    };
    for (let tries = 0; ; tries++) {
      try {
        return await attempt();
      } catch (error) {
        signal?.throwIfAborted();
        const pauseMs = tries < retries ? pauseBefore(error, tries) : null;
        if (pauseMs === null || pauseMs > longestWaitS * 1000) throw error;
        await sleep(pauseMs, signal);
      }
    }
  };
}

/**
 * How long to wait before the next try, or null where it would be of no use. Calls that were refused together must not
 * come back together, so that each waits a little longer than it has to.
 */
function pauseBefore(error: unknown, tries: number): number | null {
  const pauseMs = firstPauseMs * 2 ** tries;
  if (!(error instanceof OdographError)) return pauseMs * (0.5 + Math.random());
  if (error.status === 429) return (error.retryAfterS ?? 1) * 1000 + firstPauseMs * Math.random();
  return error.status >= 500 ? pauseMs * (0.5 + Math.random()) : null;
}

function queryText(query: Query): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null)
      words.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  const text = words.toString();
  return text === "" ? "" : `?${text}`;
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}
