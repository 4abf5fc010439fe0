import { type AddressMeter, networkOf } from "../access/address-meter.ts";
import type { Authenticator } from "../access/authenticate.ts";
import { clientAddress } from "../access/client-address.ts";
import type { Limiter } from "../access/limiter.ts";
import type { MeterReading, Spent } from "../access/meter.ts";
import type { Principal } from "../access/principal.ts";
import type { UsageRecorder } from "../access/usage.ts";
import { asFailure, errorTable, Failure } from "../domain/errors.ts";
import { inTime } from "../http/deadline.ts";
import type { Observe } from "../observe/observation.ts";
import type { Database } from "../store/database.ts";
import { atOnce, type Steps } from "./at-once.ts";
import type { Kept } from "./cache/cached.ts";
import type { Cursors } from "./input/cursor.ts";
import type { Match } from "./match.ts";
import { unchangedTag } from "./not-modified.ts";
import { insufficientScope, invalidKey, isReading, methodNotAllowed, rateLimited, unknownPath } from "./refusals.ts";
import { type ResponseContext, respond, respondFailure, respondNotModified } from "./respond.ts";
import type { Answer, Route } from "./route.ts";
import { runRoute } from "./run-route.ts";

/** What the stages work with. */
export interface Stages {
  readonly database: Database;
  readonly match: (path: string) => Match | null;
  readonly authenticator: Authenticator;
  readonly limiter: Limiter;
  readonly addressMeter: AddressMeter;
  readonly usage: UsageRecorder;
  readonly cursors: Cursors;
  readonly kept: Kept;
  readonly observe: Observe;
}

/** One call on its way through the stages. */
export interface Call {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Headers;
  /** The address of whoever is connected, perhaps a proxy. */
  readonly peer: () => string;
  readonly now: number;
  /** Of the key or the client's address, whichever was metered; null until then. */
  reading: MeterReading | null;
  route: Route | null;
  principal: Principal | null;
  /** Whether the call has used one of the day's requests. A poll that may end in a 304 is charged at the end. */
  day: "untouched" | "later" | "charged";
}

/** By what a call without a valid key is counted. Others are never asked for it. */
export function addressOf({ headers, peer }: Call): string {
  return clientAddress(headers, peer());
}

/** A promise only if a stage has to wait for the store. */
export function answerRequest(stages: Stages, call: Call): Promise<Response> | Response {
  return atOnce(answerSteps(stages, call));
}

/** A request from top to bottom. Whatever does not hold throws, and the first failure is the answer. */
function* answerSteps(stages: Stages, call: Call): Steps<Response> {
  try {
    const match = stages.match(call.path);
    call.route = match?.route ?? null;
    if (match === null || !isReading(call.method)) {
      yield spendAside(stages, call);
      throw match === null ? unknownPath() : methodNotAllowed();
    }
    const principal: Principal = yield authenticate(stages, call);
    yield spend(stages, call, principal, match.route);
    requireScope(match.route, principal);
    const { visibility } = principal;
    const viewerRequest = { visibility, caller: principal.keyId, query: call.query, now: call.now };
    const answer: Answer = yield runRoute(stages, match, viewerRequest);
    const tag = unchangedTag(call.headers, answer);
    if (tag !== null) return respondNotModified(tag, responding(stages, call));
    if (call.day === "later") yield chargeLate(stages, call);
    return respond(answer, responding(stages, call));
  } catch (error) {
    const failure: Failure = yield settleFailure(stages, call, error);
    observeRefusal(stages, call, failure, call.route?.path ?? "other");
    return respondFailure(failure, responding(stages, call));
  }
}

/**
 * Counts a call that is refused whoever makes it: with a valid key as one of its second, never of its day; else by the
 * address. No limit and no trouble of the store changes the answer.
 */
export async function spendAside(stages: Stages, call: Call): Promise<MeterReading> {
  const { authenticator, limiter, addressMeter } = stages;
  try {
    const found = authenticator.principal(call.headers, call.now);
    call.principal = found instanceof Promise ? await inTime(found) : found;
    if (call.principal) {
      const spent = limiter.spend(call.principal, "later", call.now);
      call.reading = (spent instanceof Promise ? await inTime(spent) : spent).reading;
      return call.reading;
    }
  } catch {
    // The store does not answer. Whatever needs it says so in its own answer.
  }
  call.reading = addressMeter.spend(addressOf(call), call.now).reading;
  return call.reading;
}

function authenticate(stages: Stages, call: Call): Promise<Principal> | Principal {
  const found = stages.authenticator.principal(call.headers, call.now);
  return found instanceof Promise
    ? inTime(found).then((later) => admit(stages, call, later))
    : admit(stages, call, found);
}

function admit({ addressMeter }: Stages, call: Call, principal: Principal | null): Principal {
  call.principal = principal;
  if (principal) return principal;
  pass(call, addressMeter.spend(addressOf(call), call.now));
  throw invalidKey();
}

function spend({ limiter }: Stages, call: Call, principal: Principal, route: Route): Promise<void> | void {
  const day = route.conditional && call.headers.has("if-none-match") ? "later" : "now";
  const spent = limiter.spend(principal, day, call.now);
  return spent instanceof Promise ? inTime(spent).then((later) => settle(call, later, day)) : settle(call, spent, day);
}

function settle(call: Call, spent: Spent, day: "now" | "later"): void {
  pass(call, spent);
  call.day = day === "later" ? "later" : "charged";
}

function requireScope(route: Route, principal: Principal): void {
  if (!principal.scopes.includes(route.scope)) throw insufficientScope(route.scope, principal);
}

async function chargeLate({ limiter }: Stages, call: Call): Promise<void> {
  if (call.day !== "later" || !call.principal) return;
  call.day = "untouched";
  const charging = limiter.chargeDay(call.principal, call.now);
  pass(call, charging instanceof Promise ? await inTime(charging) : charging);
  call.day = "charged";
}

/** Takes over the meter's figures and stops a call that is over its limit. */
function pass(call: Call, spent: Spent): void {
  call.reading = spent.reading;
  if (spent.refusal) throw rateLimited(spent.refusal, spent.reading);
}

/** Who has waited for a store in vain is not kept waiting for its figures: they are set right a moment later. */
const refundMs = 1_000;

/** What a failure costs: a fault of ours and a 429 nothing, anything else what an answer would have. */
async function settleFailure(stages: Stages, call: Call, error: unknown): Promise<Failure> {
  const failure = asFailure(error);
  try {
    if (errorTable[failure.code].status >= 500) {
      stages.observe({
        kind: "request_failed",
        requestId: call.requestId,
        ...(call.principal && { keyId: call.principal.keyId }),
        route: call.route?.path ?? "other",
        cause: failure,
      });
    }
    // A call that is refused because too many long answers are under way has been charged by then: it costs nothing either.
    if (errorTable[failure.code].status >= 500 || failure.code === "RATE_LIMITED") {
      if (call.day === "charged" && call.principal && call.reading) {
        const refunding = stages.limiter.refundDay(call.principal, call.reading.day, call.now);
        call.reading = refunding instanceof Promise ? await inTime(refunding, refundMs) : refunding;
      }
      return failure;
    }
    await chargeLate(stages, call);
    return failure;
  } catch (later) {
    return later instanceof Failure && later.code === "RATE_LIMITED" ? later : failure;
  }
}

/** So that the log knows every `request_id` that a client was given with a refusal. */
export function observeRefusal({ observe }: Stages, call: Call, { code }: Failure, route: string): void {
  const { status } = errorTable[code];
  if (status >= 500) return;
  const { requestId, principal } = call;
  const caller = principal ? { keyId: principal.keyId } : { network: networkOf(addressOf(call)) };
  observe({ kind: "request_refused", requestId, ...caller, route, status, code });
}

function responding({ addressMeter }: Stages, call: Call): ResponseContext {
  return {
    requestId: call.requestId,
    headers: call.headers,
    reading: call.reading ?? addressMeter.read(addressOf(call), call.now),
  };
}
