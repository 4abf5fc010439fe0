import { AddressMeter } from "../access/address-meter.ts";
import { Authenticator } from "../access/authenticate.ts";
import { EmbeddedLimiter, type SaveCharges } from "../access/embedded-limiter.ts";
import type { Limiter } from "../access/limiter.ts";
import { SharedLimiter } from "../access/shared-limiter.ts";
import { UsageRecorder } from "../access/usage.ts";
import type { Failure } from "../domain/errors.ts";
import { bodyTooLarge } from "../http/body.ts";
import { declaresMoreThan, twoHosts } from "../http/border.ts";
import { ByteBudget } from "../http/byte-budget.ts";
import { inTime } from "../http/deadline.ts";
import { observeAnswer } from "../http/failures.ts";
import type { Observe } from "../observe/observation.ts";
import { repeat } from "../observe/repeat.ts";
import { type Database, isEmbedded } from "../store/database.ts";
import type { Replica } from "../store/replica/replica.ts";
import { UntilCommit } from "../store/until-commit.ts";
import { OpenStreams } from "./cache/open-streams.ts";
import { type ApiCall, type ApiDeps, beginCall, refuseCall } from "./call.ts";
import { answerFile, type FileCall, type FileTexts } from "./export/file.ts";
import { exportTexts, type ViewerExport } from "./export/stream.ts";
import { answerMcp, maxHeldBytes, mcpPath } from "./mcp/answer.ts";
import { countRefused } from "./metering.ts";
import { answerOpen, openPageAt } from "./open-pages.ts";
import { answerPoll } from "./poll-fast-path.ts";
import { answerRequest } from "./request.ts";
import { routeDeps } from "./route-deps.ts";
import { answerViewer, type ViewerCall } from "./viewer.ts";

/** How often unsaved counts are written: usage, when a key was last used, what PostgreSQL did not accept before. */
const flushMs = 1_000;
/** Only messages of assistants have a body, with a limit of their own. Any other is ignored; one this large is a mistake. */
const maxIgnoredBytes = 1024 * 1024;

export interface ApiOptions {
  readonly database: Database;
  readonly replica?: Replica | null;
  /** The limiter's connections on PostgreSQL: their commits need not wait for the disk. */
  readonly counters: Database;
  /** Stores what the limiter has counted on SQLite. Without it the limiter does so itself. */
  readonly saveCharges?: SaveCharges;
  /** The time of a call: keys expire by it. */
  readonly now?: () => number;
  /** Whether this server is about to stop, so that balancers should send no requests to it. */
  readonly isDraining?: () => boolean;
  readonly observe: Observe;
}

export interface Api {
  /** `peer`: the address of the connection, perhaps a proxy's. Only the fast path of a poll returns no promise. */
  readonly answer: (request: Request, peer: () => string) => Promise<Response> | Response;
  /** Answers a signed-in user of the portal. */
  readonly answerViewer: (call: ViewerCall) => Promise<Response>;
  /** Answers a signed-in user of the portal with a whole list. Rejects with the failure of a wrong request. */
  readonly answerExport: (call: ViewerExport) => Promise<Response>;
  /** The same with any other file that is made while it is sent. */
  readonly answerFile: (call: FileCall, texts: FileTexts) => Promise<Response>;
  /** A key was revoked or changed here: it must be looked up again. */
  forgetKeys(): void;
  /** Stops the timers and writes unsaved counts. */
  close(): Promise<void>;
}

export async function createApi(options: ApiOptions): Promise<Api> {
  const { database, replica = null, counters, saveCharges, observe } = options;
  const { now = () => Date.now(), isDraining = () => false } = options;
  const limiter: Limiter = isEmbedded(database)
    ? new EmbeddedLimiter(database, saveCharges)
    : new SharedLimiter(counters, database);
  const usage = new UsageRecorder(database);
  const authenticator = new Authenticator(database);
  const deps: ApiDeps = {
    ...(await routeDeps(database, replica)),
    authenticator,
    limiter,
    addressMeter: new AddressMeter(),
    usage,
    messages: new ByteBudget(maxHeldBytes),
    pollTags: new UntilCommit(database),
    now,
    isDraining,
    observe,
  };
  const files = { streams: new OpenStreams(), observe };
  const flushing = [limiter, usage].map((counts) => repeat("counters", flushMs, observe, () => counts.flush()));
  return {
    answer: (request, peer) => answer(deps, request, peer),
    answerViewer: (call) => answerViewer(deps, call),
    answerExport: (call) => answerFile(files, call, exportTexts(deps, call)),
    answerFile: (call, texts) => answerFile(files, call, texts),
    forgetKeys: () => authenticator.forget(),
    async close() {
      const flushLast = async () => {
        await Promise.all(flushing.map((end) => end()));
        await Promise.all([limiter.flush(), usage.flush()]);
      };
      // A lost store must not delay the exit.
      await inTime(flushLast()).catch((cause) => observe({ kind: "maintenance_failed", task: "counters", cause }));
    },
  };
}

function answer(deps: ApiDeps, request: Request, peer: () => string): Promise<Response> | Response {
  const started = performance.now();
  const call = beginCall(deps, request, peer);
  const fault = faultOf(call);
  if (fault) return answerFault(deps, call, fault, started);
  const polled = answerPoll(deps, call);
  if (polled === null) return answerOrdinary(deps, call, request, started);
  if (polled instanceof Response) return observed(deps, call, polled, started);
  return polled.then((answer) =>
    answer ? observed(deps, call, answer, started) : answerOrdinary(deps, call, request, started),
  );
}

/** What is wrong with a request whatever it asks for. */
function faultOf({ path, headers }: ApiCall): Failure | null {
  const isTooLarge = path !== mcpPath && declaresMoreThan(maxIgnoredBytes, headers);
  return twoHosts(headers) ?? (isTooLarge ? bodyTooLarge(maxIgnoredBytes) : null);
}

async function answerFault(deps: ApiDeps, call: ApiCall, fault: Failure, started: number): Promise<Response> {
  await countRefused(deps, call);
  return observed(deps, call, refuseCall(deps, call, fault), started);
}

async function answerOrdinary(deps: ApiDeps, call: ApiCall, request: Request, started: number): Promise<Response> {
  return observed(deps, call, await answerByPath(deps, call, request), started);
}

function answerByPath(deps: ApiDeps, call: ApiCall, request: Request): Promise<Response> {
  const openPage = openPageAt(call.path);
  if (openPage) return answerOpen(openPage, deps, call);
  return call.path === mcpPath ? answerMcp(deps, call, request) : answerRequest(deps, call);
}

function observed(deps: ApiDeps, call: ApiCall, response: Response, started: number): Response {
  const { requestId, principal, routeName: route } = call;
  const { status } = response;
  if (principal) deps.usage.record(principal, route, status, call.now);
  // Bun adds the date to every answer except these.
  if (call.method === "HEAD") response.headers.set("Date", new Date(call.now).toUTCString());
  const durationMs = performance.now() - started;
  const keyId = principal?.keyId ?? null;
  observeAnswer(deps.observe, { requestId, keyId, route, status, durationMs });
  return response;
}
