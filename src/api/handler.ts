import { type ErrorCode, errorTable, Failure } from "../domain/errors.ts";
import type { Observe } from "../observe/observation.ts";
import type { Database } from "../store/database.ts";

/** The version of the interface, as the specification names it. */
export const apiVersion = "1.0.0";

/** Answers everything under the public port. */
export function answerApi(database: Database, observe: Observe): (request: Request) => Promise<Response> {
  return async (request) => {
    const started = performance.now();
    const requestId = crypto.randomUUID();
    const { pathname } = new URL(request.url);
    const route = pathname === "/v1/health" ? pathname : "unknown";
    const response = await answer(request.method, route, pathname, database, requestId).catch((cause) => {
      observe({ kind: "request_failed", requestId, route, cause });
      return failed("INTERNAL", "the server failed; try again later", requestId);
    });
    response.headers.set("X-Request-Id", requestId);
    const durationMs = performance.now() - started;
    observe({ kind: "request_answered", requestId, route, status: response.status, durationMs });
    return response;
  };
}

async function answer(
  method: string,
  route: string,
  pathname: string,
  database: Database,
  requestId: string,
): Promise<Response> {
  if (route === "unknown") return failed("NOT_FOUND", `there is no ${pathname}`, requestId);
  if (method !== "GET" && method !== "HEAD") {
    const response = failed("METHOD_NOT_ALLOWED", "only GET and HEAD are answered", requestId);
    response.headers.set("Allow", "GET, HEAD");
    return response;
  }
  return health(database);
}

async function health(database: Database): Promise<Response> {
  try {
    await database.ping();
    return Response.json({ status: "ok", version: apiVersion });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return Response.json({ status: "unavailable", version: apiVersion }, { status: 503 });
  }
}

function failed(code: ErrorCode, message: string, requestId: string): Response {
  const body = { error: { code, message }, request_id: requestId };
  return Response.json(body, { status: errorTable[code].status });
}
