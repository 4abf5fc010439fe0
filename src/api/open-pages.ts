import { inTime } from "./deadline.ts";
import { openApiBody } from "./openapi.ts";
import { referencePage, referenceScript, referenceStyle } from "./reference-page.ts";
import { methodNotAllowed, rateLimited } from "./refusals.ts";
import { addressOf, type Call, type Stages } from "./request.ts";
import { type Responding, respond, respondFailure, respondRedirect } from "./respond.ts";
import { apiVersion } from "./version.ts";

/** A health check waits no longer for the store than a load balancer does for the check. */
const healthDeadlineMs = 2_000;

type OpenPage = (stages: Stages, responding: Responding) => Promise<Response> | Response;

/** What needs no key. */
const openPages: ReadonlyMap<string, OpenPage> = new Map<string, OpenPage>([
  ["/v1/health", health],
  ["/v1/openapi.json", (_, responding) => respond({ body: openApiBody() }, responding)],
  ["/docs", (_, responding) => referencePage(responding)],
  ["/docs/", (_, responding) => respondRedirect("/docs", responding)],
  ["/docs/reference.css", (_, responding) => referenceStyle(responding)],
  ["/docs/reference.js", (_, responding) => referenceScript(responding)],
  ["/", (_, responding) => respondRedirect("/portal", responding)],
]);

export function isOpen(path: string): boolean {
  return openPages.has(path);
}

export async function answerOpen(stages: Stages, call: Call): Promise<Response> {
  const page = openPages.get(call.path) ?? health;
  // Who watches over the service must not be shut out by it, nor who reads about it.
  const isFree = page === health || !call.path.startsWith("/v1/");
  const spent = isFree ? null : stages.addressMeter.spend(addressOf(call), call.now);
  const reading = spent?.reading ?? stages.addressMeter.read(addressOf(call), call.now);
  const responding: Responding = { requestId: call.requestId, headers: call.headers, reading };
  if (call.method !== "GET" && call.method !== "HEAD") return respondFailure(methodNotAllowed(), responding);
  if (spent?.refusal) return respondFailure(rateLimited(spent.refusal, reading), responding);
  return page(stages, responding);
}

async function health({ database, observe }: Stages, responding: Responding): Promise<Response> {
  try {
    await inTime(database.ping(), healthDeadlineMs);
    return respond({ body: JSON.stringify({ status: "ok", version: apiVersion }) }, responding);
  } catch (cause) {
    observe({ kind: "request_failed", requestId: responding.requestId, route: "/health", cause });
    const response = respond({ body: JSON.stringify({ status: "unavailable", version: apiVersion }) }, responding);
    return new Response(response.body, { status: 503, headers: response.headers });
  }
}
