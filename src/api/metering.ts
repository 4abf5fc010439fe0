import type { Spent } from "../access/meter.ts";
import type { Principal } from "../access/principal.ts";
import { errorTable, Failure } from "../domain/errors.ts";
import { viewerKey } from "../domain/visibility.ts";
import { type ApiCall, type ApiDeps, clientAddressOf } from "./call.ts";
import { invalidKey, rateLimited } from "./refusals.ts";

/** Counts a call with an unknown path or method to the second of its key, or by address. The answer stays the same. */
export async function countRefused(deps: ApiDeps, call: ApiCall): Promise<void> {
  const { authenticator, limiter, addressMeter, inTime } = deps;
  try {
    call.principal = await inTime(authenticator.principal(call.headers, call.now));
    if (call.principal) {
      call.reading = (await limiter.spend(call.principal, "later", call.now)).reading;
      return;
    }
  } catch {
    // The store does not answer. What needs it will say so in its own answer.
  }
  call.reading = addressMeter.spend(clientAddressOf(call), call.now).reading;
}

/** The key that calls, or a failure: a call without a valid one is counted by the address, so keys cannot be guessed quickly. */
export async function authenticate(
  { authenticator, addressMeter, inTime }: ApiDeps,
  call: ApiCall,
): Promise<Principal> {
  const { headers, now } = call;
  const principal = authenticator.known(headers, now) ?? (await inTime(authenticator.principal(headers, now)));
  if (principal === null) {
    applySpend(call, addressMeter.spend(clientAddressOf(call), call.now));
    throw invalidKey();
  }
  call.principal = principal;
  return principal;
}

/** Asks, while a long answer is read, whether its key still works and sees the same. Rejects as the next call would. */
export function accessCheck({ authenticator, inTime, now }: ApiDeps, { headers }: ApiCall, { visibility }: Principal) {
  return async () => {
    const current = await inTime(authenticator.lookUpAgain(headers, now()));
    if (current === null || viewerKey(current.visibility) !== viewerKey(visibility)) throw invalidKey();
  };
}

/** Charges the day's request that was deferred. */
export async function chargeDay({ limiter }: ApiDeps, call: ApiCall, principal: Principal): Promise<void> {
  call.day = "untouched";
  applySpend(call, await limiter.chargeDay(principal, call.now));
  call.day = "charged";
}

/** Sets the meter's figures and stops a call that is over its limit. */
export function applySpend(call: ApiCall, spent: Spent): void {
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
export async function chargeFailure(deps: ApiDeps, call: ApiCall, failure: Failure): Promise<Failure> {
  const { principal, reading } = call;
  const isFree = errorTable[failure.code].outcome === "failed" || failure.code === "RATE_LIMITED";
  try {
    if (isFree && call.day === "charged" && principal && reading) {
      call.reading = await deps.inTime(deps.limiter.refundDay(principal, reading.day, call.now), refundMs);
    }
    if (!isFree && call.day === "later" && principal) await chargeDay(deps, call, principal);
    return failure;
  } catch (later) {
    return later instanceof Failure && later.code === "RATE_LIMITED" ? later : failure;
  }
}
