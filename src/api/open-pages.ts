import type { MeterReading } from "../access/meter.ts";
import type { Failure } from "../domain/errors.ts";
import { inTime } from "../http/deadline.ts";
import { openApiBody } from "./openapi.ts";
import { referencePage, referenceScript, referenceStyle } from "./reference-page.ts";
import { isReading, methodNotAllowed, rateLimited } from "./refusals.ts";
import { addressOf, type Call, observeRefusal, type Stages, spendAside } from "./request.ts";
import { type ResponseContext, respond, respondFailure, respondRedirect } from "./respond.ts";
import { apiVersion } from "./version.ts";

/** A health check waits no longer for the store than a load balancer does for the check. */
const healthDeadlineMs = 2_000;

/** What needs no key. */
export interface OpenPage {
  /** Its name in the metrics. */
  readonly route: string;
  /** What it may be answered with beside 405, for the metrics. */
  readonly statuses: readonly number[];
  /** Who watches over the service must not be shut out by it, nor who reads about it; others are counted by address. */
  readonly isMetered: boolean;
  readonly answer: (stages: Stages, responding: ResponseContext) => Promise<Response> | Response;
}

/** By path. */
export const openPages: ReadonlyMap<string, OpenPage> = new Map<string, OpenPage>([
  ["/v1/health", { route: "/health", statuses: [200, 503], isMetered: false, answer: health }],
  [
    "/v1/openapi.json",
    {
      route: "/openapi.json",
      statuses: [200, 429],
      isMetered: true,
      answer: (_, responding) => respond({ body: openApiBody() }, responding),
    },
  ],
  pageForPeople("/docs", [200, 304], referencePage),
  pageForPeople("/docs/", [302], (responding) => respondRedirect("/docs", responding)),
  pageForPeople("/docs/reference.css", [200, 304], referenceStyle),
  pageForPeople("/docs/reference.js", [200, 304], referenceScript),
  pageForPeople("/", [302], (responding) => respondRedirect("/portal", responding)),
]);

/** A page for people, which is not part of the interface. */
function pageForPeople(
  path: string,
  statuses: readonly number[],
  answer: (responding: ResponseContext) => Response,
): [string, OpenPage] {
  return [path, { route: path, statuses, isMetered: false, answer: (_, responding) => answer(responding) }];
}

export async function answerOpen(page: OpenPage, stages: Stages, call: Call): Promise<Response> {
  const { requestId, headers } = call;
  const refuse = (failure: Failure, reading: MeterReading) => {
    observeRefusal(stages, call, failure, page.route);
    return respondFailure(failure, { requestId, headers, reading });
  };
  if (!isReading(call.method)) return refuse(methodNotAllowed(), await spendAside(stages, call));
  const address = addressOf(call);
  const spent = page.isMetered ? stages.addressMeter.spend(address, call.now) : null;
  const reading = spent?.reading ?? stages.addressMeter.read(address, call.now);
  if (spent?.refusal) return refuse(rateLimited(spent.refusal, reading), reading);
  return page.answer(stages, { requestId, headers, reading });
}

async function health({ database, observe }: Stages, responding: ResponseContext): Promise<Response> {
  try {
    await inTime(database.ping(), healthDeadlineMs);
    return respond({ body: JSON.stringify({ status: "ok", version: apiVersion }) }, responding);
  } catch (cause) {
    observe({ kind: "request_failed", requestId: responding.requestId, route: "/health", cause });
    const response = respond({ body: JSON.stringify({ status: "unavailable", version: apiVersion }) }, responding);
    return new Response(response.body, { status: 503, headers: response.headers });
  }
}
