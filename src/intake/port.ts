import { type AddressMeter, networkOf } from "../access/address-meter.ts";
import { clientAddress } from "../access/client-address.ts";
import type { IngestAuthenticator } from "../access/ingest-authenticate.ts";
import type { Spent } from "../access/meter.ts";
import { asFailure, type ErrorCode, errorTable, Failure } from "../domain/errors.ts";
import { readBody } from "../http/body.ts";
import { ByteBudget } from "../http/byte-budget.ts";
import { inTime } from "../http/deadline.ts";
import { pathAndQuery } from "../http/url.ts";
import type { Observe } from "../observe/observation.ts";
import type { Database } from "../store/database.ts";
import { type MessageFormat, maxBodyBytes, messageFormats } from "./messages.ts";
import type { FrameQueue } from "./queue.ts";
import { type Outcome, takeIn } from "./take-in.ts";

/** Bodies under way, from their first byte until they are stored. An account alone may have half: four of the largest. */
const maxHeldBytes = 8 * maxBodyBytes;

/** A check must not wait longer for the store than whoever checks waits for it. */
const readyDeadlineMs = 1_500;

/** Less than Prometheus waits. */
const metricsDeadlineMs = 5_000;

export interface IngestParts {
  readonly database: Database;
  readonly authenticator: IngestAuthenticator;
  /** Counts messages without a valid token, so that tokens cannot be guessed at speed. */
  readonly addressMeter: AddressMeter;
  readonly writer: FrameQueue;
  readonly observe: Observe;
  /** The text of `/metrics`. */
  readonly metrics: () => string | Promise<string>;
}

/** `peer` is the address of whoever is connected, perhaps a proxy; it is looked up only if there is no valid token. */
export type AnswerIngest = (request: Request, peer: () => string) => Promise<Response>;

/** The private side: never public by default. What trackers' gateways and the monitoring speak to. */
export function answerIngest(parts: IngestParts): AnswerIngest {
  const bodies = new ByteBudget(maxHeldBytes);
  return async (request, peer) => {
    const { path, query } = pathAndQuery(request.url);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && path === "/metrics") return metricsPage(parts);
    if (isRead && path === "/ready") return readiness(parts.database);
    const requestId = crypto.randomUUID();
    const began = performance.now();
    const format = Object.hasOwn(messageFormats, path) ? messageFormats[path] : undefined;
    const route = format ? `ingest ${path}` : "ingest unknown path";
    const call = { request, peer, path, query: new URLSearchParams(query), requestId, bodies, tokenId: null };
    const response = await answered(parts, call, format, route);
    const durationMs = performance.now() - began;
    const { status } = response;
    response.headers.set("X-Request-Id", requestId);
    if (status === errorTable.CLIENT_GONE.status) {
      parts.observe({ kind: "request_aborted", requestId, route, durationMs });
    } else parts.observe({ kind: "request_answered", requestId, route, status, durationMs });
    return response;
  };
}

interface IngestCall {
  readonly request: Request;
  readonly peer: () => string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly requestId: string;
  readonly bodies: ByteBudget;
  /** Known once the sender is let in. */
  tokenId: string | null;
}

async function answered(
  parts: IngestParts,
  call: IngestCall,
  format: MessageFormat | undefined,
  route: string,
): Promise<Response> {
  const { requestId } = call;
  try {
    if (!format) throw new Failure("NOT_FOUND", `there is nothing at ${call.path}`);
    const response = await answerMessage(parts, call, format);
    if (response.status === 400) observeRefusal(parts, call, route, "INVALID_REQUEST");
    return response;
  } catch (error) {
    const failure = asFailure(error);
    const response = failed(failure, requestId, format);
    // Too many uploads at once are the sender's doing: counted and reported as refusals are.
    if (response.status >= 500 && failure.code !== "UNAVAILABLE") {
      const caller = call.tokenId === null ? {} : { tokenId: call.tokenId };
      parts.observe({ kind: "request_failed", requestId, ...caller, route, cause: error });
    } else if (failure.code !== "CLIENT_GONE") observeRefusal(parts, call, route, failure.code);
    return response;
  }
}

/** So that the log knows every `request_id` that a sender was given with a refusal. */
function observeRefusal({ observe }: IngestParts, call: IngestCall, route: string, code: ErrorCode): void {
  const { requestId, request, peer, tokenId } = call;
  const caller = tokenId === null ? { network: networkOf(clientAddress(request.headers, peer())) } : { tokenId };
  observe({ kind: "request_refused", requestId, ...caller, route, status: errorTable[code].status, code });
}

/** The way of a message: method, token, body, frames, store. */
async function answerMessage(
  { authenticator, addressMeter, writer }: IngestParts,
  call: IngestCall,
  format: MessageFormat,
): Promise<Response> {
  const { request, peer, query, requestId, bodies } = call;
  if (!format.methods.includes(request.method)) {
    throw new Failure("METHOD_NOT_ALLOWED", `expected ${format.methods.join(" or ")}`);
  }
  const now = Date.now();
  const inQuery = format.takesTokenInQuery ? query.get("token") : null;
  const sender = await authenticator.sender(request.headers, inQuery, now);
  if (sender === null) throw wrongToken(addressMeter.spend(clientAddress(request.headers, peer()), now));
  call.tokenId = sender.tokenId;
  const { accountId } = sender;
  const { method, headers } = request;
  // Its frames weigh what the body did, so it is counted until they are stored.
  const lease = bodies.open(String(accountId));
  try {
    const body = await readBody(request, { maxBytes: format.maxBytes, lease });
    const outcome = await takeIn(writer, accountId, format.read({ method, headers, query, body }, now));
    if (!format.readsAnswer && outcome.refused.length > 0) return refusedMessage(outcome, requestId);
    return format.answer === undefined ? Response.json(outcome) : jsonText(format.answer);
  } finally {
    lease.release();
  }
}

/** Only who has no valid token is counted and refused: whoever else calls from the address is not. */
function wrongToken({ refusal, reading }: Spent): Failure {
  const wrong = "the ingest token is missing, wrong or revoked";
  if (refusal === null) return new Failure("INVALID_INGEST_TOKEN", wrong);
  return new TooManyWrongTokens(`${wrong}, too often`, refusal === "second" ? 1 : reading.resetSeconds);
}

class TooManyWrongTokens extends Failure {
  readonly retryAfterS: number;

  constructor(message: string, retryAfterS: number) {
    super("RATE_LIMITED", message);
    this.retryAfterS = retryAfterS;
  }
}

/** Senders that look at the status alone must not take a refusal for a receipt: they would forget the frame. */
function refusedMessage(outcome: Outcome, requestId: string): Response {
  const reasons = [...new Set(outcome.refused.map(({ reason }) => reason))].join("; ");
  const code = "INVALID_REQUEST";
  return Response.json({ ...outcome, error: { code, message: reasons }, request_id: requestId }, { status: 400 });
}

/** What the sender did wrong it is told. What the store refuses now it may take later, and that is told, too. */
function failed(failure: Failure, requestId: string, format: MessageFormat | undefined): Response {
  const isStore = failure.code.startsWith("STORE_");
  const status = isStore ? 503 : errorTable[failure.code].status;
  const code = isTold(failure) ? failure.code : isStore ? "UNAVAILABLE" : "INTERNAL";
  const message = isTold(failure) ? failure.message : "not all was stored; send it again later";
  const response = Response.json({ error: { code, message }, request_id: requestId }, { status });
  if (status === 401) response.headers.set("WWW-Authenticate", 'Bearer realm="odograph ingest"');
  if (status === 405 && format) response.headers.set("Allow", format.methods.join(", "));
  if (failure instanceof TooManyWrongTokens) response.headers.set("Retry-After", String(failure.retryAfterS));
  if (status === 503) response.headers.set("Retry-After", "5");
  return response;
}

const toldCodes: readonly ErrorCode[] = [
  "INVALID_REQUEST",
  "INVALID_INGEST_TOKEN",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "BODY_TOO_LARGE",
  "BODY_TOO_SLOW",
  "CLIENT_GONE",
  "RATE_LIMITED",
  "UNAVAILABLE",
];

function isTold({ code }: Failure): boolean {
  return toldCodes.includes(code);
}

function jsonText(text: string): Response {
  return new Response(text, { headers: { "Content-Type": "application/json; charset=utf-8" } });
}

async function metricsPage({ metrics, observe }: IngestParts): Promise<Response> {
  try {
    const text = await inTime(Promise.resolve(metrics()), metricsDeadlineMs, "the API's side did not answer in time");
    return new Response(text, { headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } });
  } catch (cause) {
    // Less than all of it would look like counters that were set back.
    observe({ kind: "request_failed", requestId: crypto.randomUUID(), route: "ingest /metrics", cause });
    return Response.json({ status: "unavailable" }, { status: 503 });
  }
}

async function readiness(database: Database): Promise<Response> {
  try {
    await inTime(database.ping(), readyDeadlineMs);
    return Response.json({ status: "ready" });
  } catch {
    return Response.json({ status: "unavailable" }, { status: 503 });
  }
}
