import { type Audience, type ErrorCode, errorTable, Failure } from "../domain/errors.ts";
import type { Caller, Observe, Observed } from "../observe/observation.ts";

/** A failure with further fields and headers of its answer. */
export class HttpFailure extends Failure {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { fields?: Record<string, unknown>; headers?: Record<string, string> },
  ) {
    super(code, message);
    this.fields = extra.fields ?? {};
    this.headers = extra.headers ?? {};
  }
}

export function methodNotAllowed(allowed: readonly string[], message = `expected ${alternatives(allowed)}`): Failure {
  return new HttpFailure("METHOD_NOT_ALLOWED", message, { headers: { Allow: allowed.join(", ") } });
}

/** `GET, HEAD or POST`. */
function alternatives(words: readonly string[]): string {
  const [last, ...others] = words.toReversed();
  return others.length === 0 ? `${last}` : `${others.toReversed().join(", ")} or ${last}`;
}

export function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : unexpectedFailure(error);
}

/** The message in place of an internal error, by audience. */
const publicMessages: Readonly<Record<Audience, string>> = {
  api: "the server failed; try again with backoff",
  agent: "the server failed; try again with backoff",
  portal: "the server failed; try again in a moment",
  sender: "not all was stored; send it again later",
};

/** Senders and people may try again after this. */
const retrySeconds = "5";

export interface FailureAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** The answer to a failure: the one body shape, with no more than the audience may see (src/domain/errors.ts). */
export function failureAnswer(failure: Failure, audience: Audience, requestId: string): FailureAnswer {
  const { code, message, fields, headers } = publicError(failure, audience);
  const { status } = errorTable[code];
  return {
    status,
    headers: status === 503 ? { ...headers, "Retry-After": retrySeconds } : headers,
    body: { error: { code, message, ...fields }, request_id: requestId },
  };
}

function publicError(
  failure: Failure,
  audience: Audience,
): Pick<HttpFailure, "code" | "message" | "fields" | "headers"> {
  const rules = errorTable[failure.code];
  if ((rules.seenBy as readonly Audience[]).includes(audience)) {
    const { fields, headers } = failure instanceof HttpFailure ? failure : { fields: {}, headers: {} };
    return { code: failure.code, message: failure.message, fields, headers };
  }
  const code = audience === "sender" && "senderGets" in rules ? rules.senderGets : "INTERNAL";
  return { code, message: publicMessages[audience], fields: {}, headers: {} };
}

export interface FailedRequest {
  readonly requestId: string;
  /** A pattern: neither path nor query, which may hold anything. */
  readonly route: string;
  /** The credential that authenticated it or, without one, its address. */
  readonly caller: Caller & { readonly network?: string };
}

/** Logs every `request_id` that a caller got with a failure, and whose it was. */
export function observeFailure(observe: Observe, failed: FailedRequest, failure: Failure): void {
  const { requestId, route, caller } = failed;
  const { code } = failure;
  const { outcome, status } = errorTable[code];
  const { network: _, ...known } = caller;
  if (outcome === "failed") observe({ kind: "request_failed", requestId, ...known, route, cause: failure });
  if (outcome === "refused") observe({ kind: "request_refused", requestId, ...caller, route, status, code });
}

/** A client that broke off while sending got no answer. */
export function observeAnswer(observe: Observe, answer: Omit<Observed<"request_answered">, "kind">): void {
  const { requestId, route, status, durationMs } = answer;
  if (status !== errorTable.CLIENT_GONE.status) observe({ kind: "request_answered", ...answer });
  else observe({ kind: "request_aborted", requestId, route, durationMs });
}

/** Keys and tokens, and the query of an address, where senders that know no headers put their token. */
const secrets = /\bod[a-z]_\w+|\?\S*/g;

/** An error that we did not throw on purpose, for the log: its kind, its text without secrets, and where it was thrown. */
export function unexpectedFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return new Failure("INTERNAL", "something that is no error was thrown");
  const failure = new Failure("INTERNAL", textOf(error));
  const places = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  failure.stack = [failure.message, ...places.map((place) => place.replaceAll(secrets, "…"))].join("\n");
  return failure;
}

/** With the errors that led to it. */
function textOf({ name, message, cause }: Error): string {
  const text = `${name}: ${message}`.replaceAll(secrets, "…").replaceAll(/\s+/g, " ");
  return cause instanceof Error ? `${text}: ${textOf(cause)}` : text;
}
