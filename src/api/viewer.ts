import type { MeterReading } from "../access/meter.ts";
import { asFailure, errorTable } from "../domain/errors.ts";
import { unchangedTag } from "./not-modified.ts";
import { isReading, methodNotAllowed, unknownPath } from "./refusals.ts";
import type { Stages } from "./request.ts";
import { respond, respondFailure, respondNotModified } from "./respond.ts";
import { runRoute, type ViewerRequest } from "./run-route.ts";

/** A request of someone who is known otherwise than by a key, and metered there. */
export interface ViewerCall extends ViewerRequest {
  readonly requestId: string;
  readonly method: string;
  /** With the version's prefix. */
  readonly path: string;
  readonly headers: Headers;
  readonly reading: MeterReading;
}

/** The API's own answer without a key: the same routes and checks, no scope and no quota. */
export async function answerViewer(stages: Stages, call: ViewerCall): Promise<Response> {
  const { requestId } = call;
  const match = stages.match(call.path);
  try {
    if (match === null) throw unknownPath();
    if (!isReading(call.method)) throw methodNotAllowed();
    const answer = await runRoute(stages, match, call);
    const tag = unchangedTag(call.headers, answer);
    return tag === null ? respond(answer, call) : respondNotModified(tag, call);
  } catch (error) {
    const failure = asFailure(error);
    const { userId } = call.visibility;
    const route = `/portal/api/data${match?.route.path ?? "/*"}`;
    const { code } = failure;
    const { status } = errorTable[code];
    if (status >= 500) stages.observe({ kind: "request_failed", requestId, userId, route, cause: failure });
    else stages.observe({ kind: "request_refused", requestId, userId, route, status, code });
    return respondFailure(failure, call);
  }
}
