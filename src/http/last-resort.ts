import type { Observe } from "../observe/observation.ts";

/** Keys and tokens, and the query of an address, where senders that know no headers put their token. */
const secrets = /\bod[a-z]_\w+|\?\S*/g;

/**
 * Answers what no server has foreseen. Without it the runtime would answer in plain text, and print the error with lines
 * of our source and every property, such as the whole address of the request.
 */
export function lastResort(observe: Observe, route: string): (error: unknown) => Response {
  return (error) => {
    const requestId = crypto.randomUUID();
    observe({ kind: "request_failed", requestId, route, cause: redacted(error) });
    const message = "the server failed; try again with backoff";
    const headers = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Request-Id": requestId };
    return Response.json({ error: { code: "INTERNAL", message }, request_id: requestId }, { status: 500, headers });
  };
}

/** The kind of error, its text without what may be secret, and where it was thrown. */
function redacted(error: unknown): Error {
  if (!(error instanceof Error)) return new Error("something that is no error was thrown");
  const text = `${error.name}: ${error.message}`.replaceAll(secrets, "…").replaceAll(/\s+/g, " ");
  const places = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const safe = new Error(text);
  safe.stack = [text, ...places.map((place) => place.replaceAll(secrets, "…"))].join("\n");
  return safe;
}
