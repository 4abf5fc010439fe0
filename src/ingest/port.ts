import { gunzipSync } from "node:zlib";
import type { IngestAuthenticator } from "../access/ingest-authenticate.ts";
import { type ErrorCode, errorTable, Failure } from "../domain/errors.ts";
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
  readonly writer: FrameWriter;
  readonly observe: Observe;
  /** The text of `/metrics`. */
  readonly metrics: () => string | Promise<string>;
}

/** The private side: never public by default. What trackers' gateways and the monitoring speak to. */
export function answerIngest(parts: IngestParts): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && url.pathname === "/metrics") return metricsPage(parts);
    if (isRead && url.pathname === "/ready") return readiness(parts.database);
    const requestId = crypto.randomUUID();
    const began = performance.now();
    const format = Object.hasOwn(messageFormats, url.pathname) ? messageFormats[url.pathname] : undefined;
    const route = format ? `ingest ${url.pathname}` : "ingest unknown path";
    const response = await answered(parts, request, url, format, requestId, route);
    const durationMs = performance.now() - began;
    parts.observe({ kind: "request_answered", requestId, route, status: response.status, durationMs });
    return response;
  };
}

async function answered(
  parts: IngestParts,
  request: Request,
  url: URL,
  format: MessageFormat | undefined,
  requestId: string,
  route: string,
): Promise<Response> {
  try {
    if (!format) throw new Failure("NOT_FOUND", `there is nothing at ${url.pathname}`);
    return await answerMessage(parts, request, url, format, requestId);
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure("INTERNAL", "the server failed", { cause: error });
    if (!isTold(failure)) {
      parts.observe({ kind: "request_failed", requestId, route, cause: error });
    }
    return failed(failure, requestId, format);
  }
}

/** The way of a message: method, token, body, frames, store. */
async function answerMessage(
  { authenticator, writer }: IngestParts,
  request: Request,
  url: URL,
  format: MessageFormat,
  requestId: string,
): Promise<Response> {
  if (!format.methods.includes(request.method)) {
    throw new Failure("METHOD_NOT_ALLOWED", `expected ${format.methods.join(" or ")}`);
  }
  const now = Date.now();
  const inQuery = format.takesTokenInQuery ? url.searchParams.get("token") : null;
  const accountId = await authenticator.account(request.headers, inQuery, now);
  if (accountId === null) throw new Failure("INVALID_INGEST_TOKEN", "the ingest token is missing, wrong or revoked");
  const { method, headers } = request;
  const body = await readBody(request);
  const outcome = await takeIn(writer, accountId, format.read({ method, headers, query: url.searchParams, body }, now));
  if (!format.readsAnswer && outcome.refused.length > 0) return refusedMessage(outcome, requestId);
  return format.answer === undefined ? Response.json(outcome) : jsonText(format.answer);
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
  if (status === 503) response.headers.set("Retry-After", "5");
  return response;
}

const toldCodes: readonly ErrorCode[] = [
  "INVALID_REQUEST",
  "INVALID_INGEST_TOKEN",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "BODY_TOO_LARGE",
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
