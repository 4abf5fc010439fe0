import { gunzipSync } from "node:zlib";
import { type AddressMeter, networkOf } from "../access/address-meter.ts";
import { clientAddress } from "../access/client-address.ts";
import type { IngestAuthenticator } from "../access/ingest-authenticate.ts";
import type { Spent } from "../access/meter.ts";
import { asFailure, type ErrorCode, errorTable, Failure } from "../domain/errors.ts";
import type { Observe } from "../observe/observation.ts";
import type { Database } from "../store/database.ts";
import type { FrameWriter } from "./frame-writer.ts";
import { type MessageFormat, messageFormats } from "./messages.ts";
import { type Outcome, takeIn } from "./take-in.ts";

/** Ten thousand frames with all their fields and sensors take less. */
export const mostBodyBytes = 16 * 1024 * 1024;

export interface IngestParts {
  readonly database: Database;
  readonly authenticator: IngestAuthenticator;
  /** Counts messages without a valid token, so that tokens cannot be guessed at speed. */
  readonly addressMeter: AddressMeter;
  readonly writer: FrameWriter;
  readonly observe: Observe;
  /** The text of `/metrics`. */
  readonly metrics: () => string | Promise<string>;
}

/** `peer` is the address of whoever is connected, perhaps a proxy; it is looked up only if there is no valid token. */
export type AnswerIngest = (request: Request, peer: () => string) => Promise<Response>;

/** The private side: never public by default. What trackers' gateways and the monitoring speak to. */
export function answerIngest(parts: IngestParts): AnswerIngest {
  return async (request, peer) => {
    const url = new URL(request.url);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && url.pathname === "/metrics") return metricsPage(parts);
    if (isRead && url.pathname === "/ready") return readiness(parts.database);
    const requestId = crypto.randomUUID();
    const began = performance.now();
    const format = Object.hasOwn(messageFormats, url.pathname) ? messageFormats[url.pathname] : undefined;
    const route = format ? `ingest ${url.pathname}` : "ingest unknown path";
    const response = await answered(parts, { request, peer, url, requestId, tokenId: null }, format, route);
    const durationMs = performance.now() - began;
    parts.observe({ kind: "request_answered", requestId, route, status: response.status, durationMs });
    return response;
  };
}

interface IngestCall {
  readonly request: Request;
  readonly peer: () => string;
  readonly url: URL;
  readonly requestId: string;
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
    if (!format) throw new Failure("NOT_FOUND", `there is nothing at ${call.url.pathname}`);
    const response = await answerMessage(parts, call, format);
    if (response.status === 400) observeRefusal(parts, call, route, "INVALID_REQUEST");
    return response;
  } catch (error) {
    const failure = asFailure(error);
    if (isTold(failure)) observeRefusal(parts, call, route, failure.code);
    else {
      const caller = call.tokenId === null ? {} : { tokenId: call.tokenId };
      parts.observe({ kind: "request_failed", requestId, ...caller, route, cause: error });
    }
    return failed(failure, requestId, format);
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
  const { request, peer, url, requestId } = call;
  if (!format.methods.includes(request.method)) {
    throw new Failure("METHOD_NOT_ALLOWED", `expected ${format.methods.join(" or ")}`);
  }
  const now = Date.now();
  const inQuery = format.takesTokenInQuery ? url.searchParams.get("token") : null;
  const sender = await authenticator.sender(request.headers, inQuery, now);
  if (sender === null) throw wrongToken(addressMeter.spend(clientAddress(request.headers, peer()), now));
  call.tokenId = sender.tokenId;
  const { method, headers } = request;
  const body = await readBody(request);
  const outcome = await takeIn(
    writer,
    sender.accountId,
    format.read({ method, headers, query: url.searchParams, body }, now),
  );
  if (!format.readsAnswer && outcome.refused.length > 0) return refusedMessage(outcome, requestId);
  return format.answer === undefined ? Response.json(outcome) : jsonText(format.answer);
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

async function readBody(request: Request): Promise<Uint8Array> {
  const tooLarge = new Failure("BODY_TOO_LARGE", `expected a body of at most ${mostBodyBytes} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > mostBodyBytes) throw tooLarge;
  const encoding = request.headers.get("content-encoding")?.toLowerCase() ?? "identity";
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > mostBodyBytes) throw tooLarge;
  return unpacked(bytes, encoding);
}

/** A body may come compressed. What it unpacks to is bounded, too. */
function unpacked(bytes: Uint8Array<ArrayBuffer>, encoding: string): Uint8Array {
  if (encoding === "identity") return bytes;
  if (encoding !== "gzip") {
    throw new Failure("INVALID_REQUEST", `Content-Encoding: expected gzip or none, got "${encoding}"`);
  }
  try {
    return gunzipSync(bytes, { maxOutputLength: mostBodyBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      throw new Failure("BODY_TOO_LARGE", `expected a body of at most ${mostBodyBytes} bytes when unpacked`);
    }
    throw new Failure("INVALID_REQUEST", "the body is not gzip, though Content-Encoding says so");
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
  "RATE_LIMITED",
];

function isTold({ code }: Failure): boolean {
  return toldCodes.includes(code);
}

function jsonText(text: string): Response {
  return new Response(text, { headers: { "Content-Type": "application/json; charset=utf-8" } });
}

async function metricsPage({ metrics }: IngestParts): Promise<Response> {
  const headers = { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" };
  return new Response(await metrics(), { headers });
}

async function readiness(database: Database): Promise<Response> {
  try {
    await database.ping();
    return Response.json({ status: "ready" });
  } catch {
    return Response.json({ status: "unavailable" }, { status: 503 });
  }
}
