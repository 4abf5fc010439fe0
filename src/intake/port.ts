import { type AddressMeter, clientAddress, networkOf } from "../access/address-meter.ts";
import type { IngestAuthenticator } from "../access/ingest-authenticate.ts";
import type { Spent } from "../access/meter.ts";
import { Failure } from "../domain/errors.ts";
import { readBody } from "../http/body.ts";
import { twoHosts } from "../http/border.ts";
import { ByteBudget, type ByteLease } from "../http/byte-budget.ts";
import { inTime } from "../http/deadline.ts";
import {
  asFailure,
  failureAnswer,
  HttpFailure,
  methodNotAllowed,
  observeAnswer,
  observeFailure,
} from "../http/failures.ts";
import { jsonResponse } from "../http/json.ts";
import { createRouter } from "../http/router.ts";
import { eachParameter, pathAndQuery } from "../http/url.ts";
import type { Observe } from "../observe/observation.ts";
import type { Database } from "../store/database.ts";
import { beforeDeadline } from "../store/deadlines.ts";
import { type MessageFormat, maxBodyBytes, messageFormats } from "./messages.ts";
import type { FrameQueue } from "./queue.ts";
import { type MessageOutcome, storeMessage } from "./store-message.ts";
import type { UnknownDevices } from "./unknown-devices.ts";

/** Bodies in memory until they are stored: four of the largest for one account alone, three for one token. */
const maxHeldBytes = 8 * maxBodyBytes;

/** A health check must be answered before its client gives up. */
const readyDeadlineMs = 1_500;

/** Less than Prometheus waits. */
const metricsDeadlineMs = 5_000;

export interface IngestDeps {
  readonly database: Database;
  readonly authenticator: IngestAuthenticator;
  /** Counts messages without a valid token, so that tokens cannot be guessed quickly. */
  readonly addressMeter: AddressMeter;
  readonly writer: FrameQueue;
  readonly unknownDevices: UnknownDevices;
  readonly observe: Observe;
  readonly metrics: () => Promise<string>;
  readonly now: () => number;
  readonly isDraining: () => boolean;
}

/** `peer` is the address of the connection, perhaps of a proxy; it is looked up only if there is no valid token. */
export type AnswerIngest = (request: Request, peer: () => string) => Promise<Response>;

const pages: Readonly<Record<string, (deps: IngestDeps) => Promise<Response>>> = {
  "/ready": readiness,
  "/metrics": metricsPage,
};

const paths = [...Object.keys(messageFormats), ...Object.keys(pages)].join(", ");

const findRoute = createRouter<MessageFormat | (typeof pages)[string]>([
  ...Object.entries(messageFormats).map(([path, format]) => ({ methods: format.methods, path, route: format })),
  ...Object.entries(pages).map(([path, page]) => ({ methods: ["GET", "HEAD"], path, route: page })),
]);

interface IngestCall {
  readonly request: Request;
  readonly peer: () => string;
  readonly path: string;
  readonly found: ReturnType<typeof findRoute>;
  readonly query: string;
  readonly requestId: string;
  readonly bodies: ByteBudget;
  /** For the log and the metrics: not the path, which may be anything. */
  routeName: string;
  /** Null until the token was checked. */
  tokenId: string | null;
}

/** The private side, for trackers' gateways and monitoring: never public by default. */
export function answerIngest(deps: IngestDeps): AnswerIngest {
  const bodies = new ByteBudget(maxHeldBytes, maxBodyBytes);
  return async (request, peer) => {
    const { path, query } = pathAndQuery(request.url);
    const found = findRoute(request.method, path);
    const isPage = found.outcome === "found" && typeof found.route === "function";
    if (isPage && !twoHosts(request.headers)) return found.route(deps);
    const requestId = crypto.randomUUID();
    const began = performance.now();
    const call: IngestCall = {
      request,
      peer,
      path,
      found,
      query,
      requestId,
      bodies,
      routeName: "ingest unknown path",
      tokenId: null,
    };
    const response = await answerMessage(deps, call);
    response.headers.set("X-Request-Id", requestId);
    const { status } = response;
    observeAnswer(deps.observe, { requestId, route: call.routeName, status, durationMs: performance.now() - began });
    return response;
  };
}

/** A message from top to bottom: path and method, token, body, frames, store. The first failure is the answer. */
async function answerMessage(deps: IngestDeps, call: IngestCall): Promise<Response> {
  const { request, peer, query, found } = call;
  const { method, headers } = request;
  let lease: ByteLease | null = null;
  try {
    const fault = twoHosts(headers);
    if (fault) throw fault;
    if (found.outcome === "nothing") throw unknownPath(call.path);
    call.routeName = `ingest ${call.path}`;
    if (found.outcome === "other methods") throw methodNotAllowed(found.allowed);
    const format = found.route as MessageFormat;
    const now = deps.now();
    const inQuery = format.takesTokenInQuery ? tokenIn(query) : null;
    const sender = await deps.authenticator.sender(headers, inQuery, now);
    if (sender === null) throw wrongToken(format, deps.addressMeter.spend(clientAddress(headers, peer()), now));
    call.tokenId = sender.tokenId;
    // Its frames take as much memory as the body, so it is counted until they are stored.
    lease = call.bodies.open(String(sender.accountId), sender.tokenId);
    const body = await readBody(request, { maxBytes: format.maxBytes, lease });
    const outcome = await storeMessage(deps, sender.accountId, format.read({ method, headers, query, body }, now));
    if (!format.readsAnswer && outcome.refused.length > 0) throw new RefusedMessage(outcome);
    return jsonResponse(format.answer ?? outcome);
  } catch (error) {
    return refuse(deps, call, asFailure(error));
  } finally {
    lease?.release();
  }
}

function tokenIn(query: string): string | null {
  let token: string | null = null;
  eachParameter(query, (name, value) => {
    if (name === "token") token ??= value;
  });
  return token;
}

function unknownPath(path: string): Failure {
  return new Failure("NOT_FOUND", `there is nothing at ${path}; the paths are ${paths}`);
}

/** Only calls without a valid token are counted and refused, not other senders at the same address. */
function wrongToken({ takesTokenInQuery }: MessageFormat, { refusal, reading }: Spent): Failure {
  const wrong = "the ingest token is missing, wrong or revoked";
  if (refusal === null) {
    const inQuery = takesTokenInQuery ? ", as `token` in the query" : "";
    const howToSend = `send it as \`Authorization: Bearer TOKEN\`${inQuery} or as the password of basic authentication`;
    const headers = { "WWW-Authenticate": 'Bearer realm="odograph ingest"' };
    return new HttpFailure("INVALID_INGEST_TOKEN", `${wrong}: ${howToSend}`, { headers });
  }
  const retryAfter = refusal === "second" ? 1 : reading.resetSeconds;
  return new HttpFailure("RATE_LIMITED", `${wrong}, too often`, { headers: { "Retry-After": String(retryAfter) } });
}

/** A sender that checks only the status must not take a refused frame for a stored one: it would drop the frame. */
class RefusedMessage extends Failure {
  readonly outcome: MessageOutcome;

  constructor(outcome: MessageOutcome) {
    super("INVALID_REQUEST", [...new Set(outcome.refused.map(({ reason }) => reason))].join("; "));
    this.outcome = outcome;
  }
}

function refuse({ observe }: IngestDeps, call: IngestCall, failure: Failure): Response {
  const { request, requestId, peer, tokenId, routeName: route } = call;
  const caller = tokenId === null ? { network: networkOf(clientAddress(request.headers, peer())) } : { tokenId };
  observeFailure(observe, { requestId, route, caller }, failure);
  const { status, headers, body } = failureAnswer(failure, "sender", requestId);
  const outcome = failure instanceof RefusedMessage ? failure.outcome : {};
  return jsonResponse({ ...outcome, ...body }, { status, headers });
}

/** Not the store's fault: for that, an alert wakes the operator. */
const tooLate = () => new Failure("INTERNAL", "the API's side did not answer in time");

async function metricsPage({ metrics, observe }: IngestDeps): Promise<Response> {
  try {
    const text = await beforeDeadline(metrics(), metricsDeadlineMs, tooLate);
    return new Response(text, { headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } });
  } catch (cause) {
    // An incomplete page would look like counters that were reset.
    observe({ kind: "request_failed", requestId: crypto.randomUUID(), route: "ingest /metrics", cause });
    return jsonResponse({ status: "unavailable" }, { status: 503 });
  }
}

async function readiness({ database, isDraining }: IngestDeps): Promise<Response> {
  if (isDraining()) return jsonResponse({ status: "draining" }, { status: 503 });
  try {
    await inTime(database.ping(), readyDeadlineMs);
    return jsonResponse({ status: "ready" });
  } catch {
    return jsonResponse({ status: "unavailable" }, { status: 503 });
  }
}
