import { AddressMeter } from "../access/address-meter.ts";
import { Authenticator } from "../access/authenticate.ts";
import { EmbeddedLimiter, type SaveCharges } from "../access/embedded-limiter.ts";
import type { Limiter } from "../access/limiter.ts";
import { SharedLimiter } from "../access/shared-limiter.ts";
import { UsageRecorder } from "../access/usage.ts";
import { inTime } from "../http/deadline.ts";
import { pathAndQuery } from "../http/url.ts";
import type { Observe } from "../observe/observation.ts";
import type { Database } from "../store/database.ts";
import { sharedSecret } from "../store/secrets.ts";
import { Kept } from "./cache/cached.ts";
import { Cursors } from "./input/cursor.ts";
import { createMatcher } from "./match.ts";
import { answerOpen, type OpenPage, openPages } from "./open-pages.ts";
import { answerRequest, type Call, type Stages } from "./request.ts";
import { routes } from "./routes.ts";
import { answerViewer, type ViewerCall } from "./viewer.ts";

/** How often what is only in memory is written: usage, when a key was last used, what PostgreSQL did not take before. */
const flushMs = 1_000;

export interface ApiOptions {
  readonly database: Database;
  /** Where the limiter counts on PostgreSQL: connections whose commits need not wait for the disk. */
  readonly counters: Database;
  /** Stores what the limiter has counted on SQLite. Without it the limiter does so itself. */
  readonly saveCharges?: SaveCharges;
  readonly observe: Observe;
}

export interface Api {
  /** `peer` is the address of whoever is connected, perhaps a proxy; it is looked up only for a call without a valid key. */
  readonly answer: (request: Request, peer: () => string) => Promise<Response> | Response;
  /** Answers someone who is signed in to the portal. */
  readonly answerViewer: (call: ViewerCall) => Promise<Response>;
  /** A key was revoked or changed here: it is looked up anew. */
  forgetKeys(): void;
  /** Stops the timers and writes down what is only in memory. */
  close(): Promise<void>;
}

/** Puts the public side together. */
export async function createApi({ database, counters, saveCharges, observe }: ApiOptions): Promise<Api> {
  const limiter: Limiter =
    database.engine === "sqlite" ? new EmbeddedLimiter(database, saveCharges) : new SharedLimiter(counters, database);
  const usage = new UsageRecorder(database);
  const authenticator = new Authenticator(database);
  const stages: Stages = {
    database,
    match: createMatcher(routes),
    authenticator,
    limiter,
    addressMeter: new AddressMeter(),
    usage,
    cursors: new Cursors(await sharedSecret(database, "cursor_signing", Date.now())),
    kept: new Kept(database),
    observe,
  };

  const flush = async () => {
    for (const counted of [limiter, usage]) {
      try {
        await counted.flush();
      } catch (cause) {
        observe({ kind: "maintenance_failed", task: "counters", cause });
      }
    }
  };
  // One that waits for the store is not joined by more of them.
  let isFlushing = false;
  const timer = setInterval(async () => {
    if (isFlushing) return;
    isFlushing = true;
    await flush();
    isFlushing = false;
  }, flushMs);
  return {
    answer: (request, peer) => answer(stages, request, peer),
    answerViewer: (call) => answerViewer(stages, call),
    forgetKeys: () => authenticator.forget(),
    async close() {
      clearInterval(timer);
      // A store that is gone must not hold the exit.
      await inTime(flush()).catch((cause) => observe({ kind: "maintenance_failed", task: "counters", cause }));
    },
  };
}

function answer(stages: Stages, request: Request, peer: () => string): Promise<Response> | Response {
  const started = performance.now();
  const call = beginCall(request, peer);
  const openPage = openPages.get(call.path);
  const answering = openPage ? answerOpen(openPage, stages, call) : answerRequest(stages, call);
  return answering instanceof Promise
    ? answering.then((response) => finishCall(stages, call, openPage, response, started))
    : finishCall(stages, call, openPage, answering, started);
}

/** Counts the call's use and observes it. */
function finishCall(
  stages: Stages,
  call: Call,
  openPage: OpenPage | undefined,
  response: Response,
  started: number,
): Response {
  const route = call.route?.path ?? openPage?.route ?? "other";
  if (call.principal) stages.usage.record(call.principal, route, response.status, call.now);
  // Bun adds the date to every answer but these.
  if (call.method === "HEAD") response.headers.set("Date", new Date(call.now).toUTCString());
  const durationMs = performance.now() - started;
  const { requestId, principal } = call;
  const keyId = principal?.keyId ?? null;
  stages.observe({ kind: "request_answered", requestId, keyId, route, status: response.status, durationMs });
  return response;
}

function beginCall(request: Request, peer: () => string): Call {
  const { path, query } = pathAndQuery(request.url);
  return {
    requestId: crypto.randomUUID(),
    method: request.method,
    path,
    query,
    headers: request.headers,
    peer,
    now: Date.now(),
    reading: null,
    route: null,
    principal: null,
    day: "untouched",
  };
}
