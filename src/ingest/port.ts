import type { Database } from "../store/database.ts";

/** The private side: never public by default. What the trackers' gateways and the monitoring speak to. */
export function answerIngest(database: Database, metrics: () => string): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/metrics") {
      return new Response(metrics(), {
        headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
      });
    }
    if (pathname === "/ready") return readiness(database);
    return Response.json({ error: { code: "NOT_FOUND", message: `there is nothing at ${pathname}` } }, { status: 404 });
  };
}

async function readiness(database: Database): Promise<Response> {
  try {
    await database.ping();
    return Response.json({ status: "ready" });
  } catch {
    return Response.json({ status: "unavailable" }, { status: 503 });
  }
}
