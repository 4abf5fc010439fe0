import type { CallTarget } from "../../both-sides/address.ts";
import type {
  AnswerTo,
  BodilessName,
  CallName,
  ChangeName,
  PreviewableName,
  PreviewOf,
  ReadName,
  SentTo,
} from "../../both-sides/contract/contract.ts";
import { attendanceHeader } from "./attendance.ts";

/** A refusal of the portal. `errorWords` says it in the person's language. */
export class PortalError extends Error {
  readonly status: number;
  readonly code: string;
  /** What is wrong with which field of a form. */
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | null;
  /** All that the body says of the error. */
  readonly details: Readonly<Record<string, unknown>>;
  /** How long to wait before trying again; 0: not said. */
  readonly waitSeconds: number;

  constructor(status: number, code: string, details: Partial<ErrorDetails> = {}) {
    super(details.message ?? "");
    this.status = status;
    this.code = code;
    this.fields = details.fields ?? {};
    this.requestId = details.requestId ?? null;
    this.waitSeconds = details.waitSeconds ?? 0;
    this.details = details.body ?? {};
  }
}

interface ErrorDetails {
  /** The server's own words, in English. */
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | null;
  readonly waitSeconds: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const base = "/portal/api";

/** At the end of an address: nothing is stored. */
const previewing = "?preview=true";

/** Called when the server no longer knows the session, whatever the request. */
const signedOutListeners = new Set<() => void>();

export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/** How often a read, or the preview of a change, waits for the rate limit. A day with a frame per second has 173 pages, and 50 are allowed per second. */
const maxWaits = 20;

type RequestOptions = Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> };

/** Sends a request. Throws a PortalError for every status but success and 304. */
async function request(path: string, init: RequestOptions = {}): Promise<Response> {
  const isReading = init.method === undefined || path.endsWith(previewing);
  let response = await fetchOnce(path, init);
  for (let waits = 0; isReading && response.status === 429 && waits < maxWaits; waits++) {
    await pause(Number(response.headers.get("Retry-After") ?? 1), init.signal);
    response = await fetchOnce(path, init);
  }
  if (response.ok || response.status === 304) return response;
  const error = await readError(response);
  if (error.code === "NOT_SIGNED_IN" && path !== "/session") for (const listener of signedOutListeners) listener();
  throw error;
}

async function fetchOnce(path: string, init: RequestOptions): Promise<Response> {
  try {
    const headers = { ...init.headers, ...attendanceHeader(Date.now()) };
    return await fetch(base + path, { credentials: "same-origin", ...init, headers });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new PortalError(0, "UNREACHABLE");
  }
}

/** A server that is back should not be called gone for long. One that has too much to do is left alone. */
const retryUnreachableMs = 3_000;

/** When to poll again after a failure. */
export function pollAgainMs(error: unknown, everyMs: number): number {
  return error instanceof PortalError && error.code === "UNREACHABLE" ? retryUnreachableMs : 2 * everyMs;
}

function pause(seconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

function methodAndPath<Name extends CallName>(target: CallTarget<Name>): readonly [method: string, path: string] {
  const [method = "", path = ""] = target.split(" ");
  return [method, path];
}

export interface ResponseTo<Name extends ReadName> extends Response {
  json(): Promise<AnswerTo<Name>>;
}

/** For those who need more of an answer than its content. */
export function getResponse<Name extends ReadName>(
  target: CallTarget<Name>,
  init: RequestOptions,
): Promise<ResponseTo<Name>> {
  const [, path] = methodAndPath(target);
  return request(path, init) as Promise<ResponseTo<Name>>;
}

export async function getJson<Name extends ReadName>(
  target: CallTarget<Name>,
  signal?: AbortSignal,
): Promise<AnswerTo<Name>> {
  return (await getResponse(target, signal ? { signal } : {})).json();
}

/** Changes something. */
export function send<Name extends BodilessName>(target: CallTarget<Name>): Promise<AnswerTo<Name>>;
export function send<Name extends ChangeName>(
  target: CallTarget<Name>,
  body: SentTo<Name>,
  signal?: AbortSignal,
): Promise<AnswerTo<Name>>;
export function send<Name extends ChangeName>(
  target: CallTarget<Name>,
  body?: SentTo<Name>,
  signal?: AbortSignal,
): Promise<AnswerTo<Name>> {
  const [method, path] = methodAndPath(target);
  return change(method, path, body, signal) as Promise<AnswerTo<Name>>;
}

/** Asks what a change would do, which stores nothing. */
export function preview<Name extends PreviewableName>(
  target: CallTarget<Name>,
  body: SentTo<Name>,
  signal?: AbortSignal,
): Promise<PreviewOf<Name>> {
  const [method, path] = methodAndPath(target);
  return change(method, path + previewing, body, signal) as Promise<PreviewOf<Name>>;
}

/** The server requires the header because another site's form cannot set it. */
async function change(method: string, path: string, body: unknown, signal: AbortSignal | undefined): Promise<unknown> {
  const headers: Record<string, string> = { "X-Odograph-Portal": "1" };
  const isFile = body instanceof Blob;
  if (body !== undefined) headers["Content-Type"] = isFile ? "application/octet-stream" : "application/json";
  const response = await request(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  return response.status === 204 ? undefined : response.json();
}

/** Twice what our server asks for. Before a longer wait the person decides. */
const maxSecondTrySeconds = 10;

/**
 * For a request that does no harm when it is sent twice. A server that has too much to do is asked once more, after the time
 * that it names. `onWait` is called before the wait.
 */
export async function sendTwice<Answer>(
  sendOnce: () => Promise<Answer>,
  signal: AbortSignal,
  onWait: (seconds: number) => void,
): Promise<Answer> {
  try {
    return await sendOnce();
  } catch (cause) {
    const waitSeconds = cause instanceof PortalError && cause.status === 503 ? cause.waitSeconds : 0;
    if (waitSeconds === 0 || waitSeconds > maxSecondTrySeconds) throw cause;
    onWait(waitSeconds);
    await pause(waitSeconds, signal);
    return sendOnce();
  }
}

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string; readonly fields?: Record<string, string> };
  readonly request_id?: string;
}

async function readError(response: Response): Promise<PortalError> {
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  const { code = "INTERNAL", message = "", fields = {} } = body.error ?? {};
  return new PortalError(response.status, code, {
    message: message && sentence(message),
    fields: Object.fromEntries(Object.entries(fields).map(([name, problem]) => [name, sentence(problem)])),
    requestId: body.request_id ?? response.headers.get("X-Request-Id"),
    waitSeconds: Number(response.headers.get("Retry-After") ?? 0),
    body: { ...body.error },
  });
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
