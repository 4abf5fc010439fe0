import type { Spent } from "../access/meter.ts";
import type { Principal } from "../access/principal.ts";
import { errorTable, Failure } from "../domain/errors.ts";
import { asFailure } from "../http/failures.ts";
import { unchangedTag } from "../http/not-modified.ts";
import { addressOf, type Call, refuse, responseContext, type Stages } from "./call.ts";
import { findRoute } from "./find-route.ts";
import { runPolled } from "./poll-fast-path.ts";
import { insufficientScope, invalidKey, onlyReading, rateLimited, unknownPath } from "./refusals.ts";
import { respond, respondNotModified } from "./respond.ts";
import { isGranted } from "./route.ts";
import { runRoute } from "./run-route.ts";

/** A request from top to bottom. Every failed check throws, and the first failure is the answer. */
export async function answerRequest(stages: Stages, call: Call): Promise<Response> {
  const { authenticator, limiter, inTime } = stages;
  try {
    const found = findRoute(call.method, call.path);
    if (found.outcome !== "nothing") call.routeName = found.route.path;
    if (found.outcome !== "found") {
      await countRefused(stages, call);
      throw found.outcome === "nothing" ? unknownPath() : onlyReading();
    }
    const { route } = found;
    const principal = await inTime(authenticator.principal(call.headers, call.now));
    if (principal === null) throw wrongKey(stages, call);
    call.principal = principal;
    const day = route.conditional && call.headers.has("if-none-match") ? "later" : "now";
    pass(call, await inTime(limiter.spend(principal, day, call.now)));
    call.day = day === "later" ? "later" : "charged";
    if (route.scope !== "any" && !isGranted(route, principal.scopes)) throw insufficientScope(route.scope, principal);
    const { visibility, scopes, keyId: caller } = principal;
    const accept = call.headers.get("accept");
    const request = { visibility, scopes, caller, query: call.query, accept, now: call.now };
    const answer = await (day === "later" ? runPolled(stages, call, found, request) : runRoute(stages, found, request));
    const tag = unchangedTag(call.headers, answer.body);
    if (tag !== null) return respondNotModified(tag, responseContext(stages, call));
    if (call.day === "later") await chargeDay(stages, call, principal);
    return respond(answer, responseContext(stages, call));
  } catch (error) {
    return refuse(stages, call, await chargeFailure(stages, call, asFailure(error)));
  }
}

/**
 * Counts a call with an unknown path or method: with a valid key as one of its second, never of its day; otherwise by the
 * address. Neither a limit nor a failing store changes the answer.
 */
export async function countRefused(stages: Stages, call: Call): Promise<void> {
  const { authenticator, limiter, addressMeter, inTime } = stages;
  try {
    call.principal = await inTime(authenticator.principal(call.headers, call.now));
    if (call.principal) {
      call.reading = (await inTime(limiter.spend(call.principal, "later", call.now))).reading;
      return;
    }
  } catch {
    // The store does not answer. What needs it will say so in its own answer.
  }
  call.reading = addressMeter.spend(addressOf(call), call.now).reading;
}

/** Counted by the address, so that keys cannot be guessed quickly. */
function wrongKey({ addressMeter }: Stages, call: Call): Failure {
  pass(call, addressMeter.spend(addressOf(call), call.now));
  return invalidKey();
}

/** Charges the day's request that was deferred. */
async function chargeDay({ limiter, inTime }: Stages, call: Call, principal: Principal): Promise<void> {
  call.day = "untouched";
  pass(call, await inTime(limiter.chargeDay(principal, call.now)));
  call.day = "charged";
}

/** Sets the meter's figures and stops a call that is over its limit. */
function pass(call: Call, spent: Spent): void {
  call.reading = spent.reading;
  if (spent.refusal) throw rateLimited(spent.refusal, spent.reading);
}

/** A client that has waited for the store in vain must not also wait for its figures. They are corrected a moment later. */
const refundMs = 1_000;

/**
 * What a failure costs: our own fault and a 429 cost nothing, anything else as much as an answer. (A call that is refused
 * because of too many streams has been charged by then.) Returns the failure to answer with: the day's limit may be reached
 * only now.
 */
async function chargeFailure(stages: Stages, call: Call, failure: Failure): Promise<Failure> {
  const { principal, reading } = call;
  const isFree = errorTable[failure.code].outcome === "failed" || failure.code === "RATE_LIMITED";
  try {
    if (isFree && call.day === "charged" && principal && reading) {
      call.reading = await stages.inTime(stages.limiter.refundDay(principal, reading.day, call.now), refundMs);
    }
    if (!isFree && call.day === "later" && principal) await chargeDay(stages, call, principal);
    return failure;
  } catch (later) {
    return later instanceof Failure && later.code === "RATE_LIMITED" ? later : failure;
  }
}
