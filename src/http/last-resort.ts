import type { Audience } from "../domain/errors.ts";
import type { Observe } from "../observe/observation.ts";
import { failureAnswer } from "./failures.ts";
import { jsonResponse } from "./json.ts";
import { unexpectedFailure } from "./unexpected.ts";

/**
 * Answers errors that no server caught. Otherwise the runtime would answer in plain text, and print the error with
 * lines of our source and every property, such as the request's whole address.
 */
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
