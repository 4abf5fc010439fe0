import { errorOf, OdographError } from "./errors.ts";
import { type ClientOptions, checkedOptions, type Fetch } from "./options.ts";

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

/** What went wrong, and the seconds until the next try. */
export type OnWait = (error: unknown, waitS: number) => void;

export interface SendOptions extends CallOptions {
  readonly etag?: string | null;
  /** Makes the call wait for as long as it takes, whatever the client's options say, and is called before each wait. */
  readonly onWait?: OnWait;
}

export type Send = (path: string, query: Query, options: SendOptions) => Promise<Answer>;

const firstPauseMs = 500;
const longestPauseMs = 60_000;
const secondMs = 1000;
/** Timers take no more: a longer one would end at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Calls the API, as often as it takes within the options. */
export function createTransport(options: ClientOptions, onHeaders: (headers: Headers) => void): Send {
  const { url, key, retries = 4, longestWaitS = 60, timeoutS = 60 } = checkedOptions(options);
  const warnOnce = onceEach(options.warn ?? ((message) => console.warn(message)));
  // Looked up at each call: the global one may be replaced later, and must not be called as a method of ours.
  const call: Fetch = (address, init) => (options.fetch ?? globalThis.fetch)(address, init);
  const base = new URL(url).href.replace(/\/+$/, "");
  // Said here, and without the key: what `fetch` would say of it may end up in a log.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError("key: expected an API key, without spaces");
  /** No requests are left until then. */
  let fullUntilMs = 0;
  return async (path, query, { signal, etag, onWait }) => {
    const address = `${base}${path}${queryText(query)}`;
    const headers = { Authorization: `Bearer ${key}`, ...(etag ? { "If-None-Match": etag } : {}) };
    const attempt = async (deadline: AbortSignal): Promise<Answer> => {
      const response = await call(address, { headers, signal: deadline });
      onHeaders(response.headers);
      if (response.headers.get("X-RateLimit-Remaining-Second") === "0") fullUntilMs = Date.now() + secondMs;
      if (response.status === 304) return { headers: response.headers, body: null };
      if (!response.ok) throw await errorOf(response);
      const ignored = response.headers.get("X-Ignored-Parameters");
      if (ignored !== null) warnOnce(`odograph: ${path} has no parameter ${ignored}: the server has ignored it`);
      return { headers: response.headers, body: await response.json() };
    };
    for (let tries = 0; ; tries++) {
      signal?.throwIfAborted();
      const fullMs = fullUntilMs - Date.now();
      // A clock that was set back must not make us wait for longer than the second that it is about.
      if (fullMs > 0) await sleep(Math.min(fullMs, secondMs), signal);
      try {
        return await within(timeoutS * 1000, signal, attempt);
      } catch (error) {
        signal?.throwIfAborted();
        const pauseMs = pauseBefore(error, tries);
        if (pauseMs === null) throw error;
        if (!onWait && (tries >= retries || pauseMs > longestWaitS * 1000)) throw error;
        onWait?.(error, pauseMs / 1000);
        await sleep(pauseMs, signal);
      }
    }
  };
}

function onceEach(say: (message: string) => void): (message: string) => void {
  const said = new Set<string>();
  return (message) => {
    if (said.has(message)) return;
    said.add(message);
    say(message);
  };
}

/**
 * How long to wait before the next try, or null where it would be of no use. Calls that were refused together must not
 * come back together, so that each waits a little longer than it has to.
 */
function pauseBefore(error: unknown, tries: number): number | null {
  const pauseMs = Math.min(firstPauseMs * 2 ** tries, longestPauseMs) * (0.5 + Math.random());
  if (!(error instanceof OdographError)) return pauseMs;
  const { status, retryAfterS } = error;
  if (status === 429) return (retryAfterS ?? 1) * 1000 + firstPauseMs * Math.random();
  // 408: a proxy that was not served in time. Another one may be, and so it is with what proxies say of 5xx.
  return status === 408 || status >= 500 ? Math.max(pauseMs, (retryAfterS ?? 0) * 1000) : null;
}

/**
 * Not `AbortSignal.any`: on a signal that lives as long as the program, each call of it leaves something behind in some
 * versions of Node.
 */
async function within<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  run: (deadline: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DOMException("the server took too long", "TimeoutError")), ms);
  const onAbort = () => deadline.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await run(deadline.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
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
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      },
      Math.min(ms, longestTimerMs),
    );
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}
