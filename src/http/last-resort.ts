import type { Audience } from "../domain/errors.ts";
import type { Observe } from "../observe/observation.ts";
import { failureAnswer, unexpectedFailure } from "./failures.ts";
import { jsonResponse } from "./json.ts";

/** Answers errors that no server caught. The runtime would print them with our source and the whole address. */
export function lastResort(observe: Observe, route: string, audience: Audience): (error: unknown) => Response {
  return (error) => {
    const requestId = crypto.randomUUID();
    const cause = unexpectedFailure(error);
    observe({ kind: "request_failed", requestId, route, cause });
    const { status, body } = failureAnswer(cause, audience, requestId);
    const headers = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Request-Id": requestId };
    return jsonResponse(body, { status, headers });
  };
}
