import type { MeterReading } from "../access/meter.ts";
import { unchangedTag } from "../http/etag.ts";
import { asFailure } from "../http/failures.ts";
import { type ApiCall, type ApiDeps, refuseCall, responseContext } from "./call.ts";
import { accessCheck, applySpend, authenticate, chargeDay, chargeFailure, countRefused } from "./metering.ts";
import { runPolled } from "./poll-fast-path.ts";
import { onlyReading, requireScope, unknownPath } from "./refusals.ts";
import { respond, respondNotModified } from "./respond.ts";
import { findRoute } from "./routes.ts";
import { runRoute } from "./run-route.ts";

/** What will be left: a call that is charged at the end has not used one of the day's requests yet. */
function readingAfter({ reading, day }: ApiCall): MeterReading {
  if (reading === null) throw new Error("a call was not counted");
  return day === "later" ? { ...reading, remainingDay: Math.max(0, reading.remainingDay - 1) } : reading;
}

/** A request from top to bottom. Every failed check throws, and the first failure is the answer. */
export async function answerRequest(deps: ApiDeps, call: ApiCall): Promise<Response> {
  const { limiter } = deps;
  try {
    const found = findRoute(call.method, call.path);
    if (found.outcome !== "nothing") call.routeName = found.route.path;
    if (found.outcome !== "found") {
      await countRefused(deps, call);
      throw found.outcome === "nothing" ? unknownPath() : onlyReading();
    }
    const { route } = found;
    const principal = await authenticate(deps, call);
    const day = route.conditional && call.headers.has("if-none-match") ? "later" : "now";
    const spent = await (call.spending ?? limiter.spend(principal, day, call.now));
    applySpend(call, spent);
    call.day = day === "later" ? "later" : "charged";
    requireScope(route, principal);
    const { visibility, scopes, keyId } = principal;
    const accept = call.headers.get("accept");
    const checkAccess = accessCheck(deps, call, principal);
    const request = {
      visibility,
      scopes,
      caller: keyId,
      keyId,
      reading: readingAfter(call),
      checkAccess,
      query: call.query,
      accept,
      now: call.now,
      counters: spent.counters,
    };
    const answer = await (day === "later" ? runPolled(deps, found, request) : runRoute(deps, found, request));
    const tag = unchangedTag(call.headers, answer.body);
    if (tag !== null) return respondNotModified(tag, responseContext(deps, call));
    if (call.day === "later") await chargeDay(deps, call, principal);
    return respond(answer, responseContext(deps, call));
  } catch (error) {
    return refuseCall(deps, call, await chargeFailure(deps, call, asFailure(error)));
  }
}
