import type { MeterReading } from "../access/meter.ts";
import { unchangedTag } from "../http/etag.ts";
import { asFailure, observeFailure } from "../http/failures.ts";
import type { ApiDeps } from "./call.ts";
import { onlyReading, unknownPath } from "./refusals.ts";
import { respond, respondFailure, respondNotModified } from "./respond.ts";
import { findRoute } from "./routes.ts";
import { runRoute, type ViewerRequest } from "./run-route.ts";

/** A request of a user who is authenticated and metered elsewhere, without a key. */
export interface ViewerCall extends ViewerRequest {
  readonly requestId: string;
  readonly method: string;
  /** With the version's prefix. */
  readonly path: string;
  readonly headers: Headers;
  readonly reading: MeterReading;
}

/** The API's answer without a key: the same routes and checks, no scope and no quota. */
export async function answerViewer(deps: ApiDeps, call: ViewerCall): Promise<Response> {
  const found = findRoute(call.method, call.path);
  try {
    if (found.outcome === "nothing") throw unknownPath();
    if (found.outcome === "other methods") throw onlyReading();
    const answer = await runRoute(deps, found, { ...call, accept: call.headers.get("accept") });
    const tag = unchangedTag(call.headers, answer.body);
    return tag === null ? respond(answer, call) : respondNotModified(tag, call);
  } catch (error) {
    const failure = asFailure(error);
    const route = `/portal/api/data${found.outcome === "nothing" ? "/*" : found.route.path}`;
    const caller = { userId: call.visibility.userId };
    observeFailure(deps.observe, { requestId: call.requestId, route, caller }, failure);
    return respondFailure(failure, call);
  }
}
