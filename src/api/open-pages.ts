import { inTime } from "../http/deadline.ts";
import { type ApiCall, type ApiDeps, clientAddressOf, refuseCall, responseContext } from "./call.ts";
import { clientPackage, clientPackages, clientsPath } from "./clients/packages.ts";
import { renderClientsPage } from "./clients/page.ts";
import { guidePath } from "./guide/addresses.ts";
import { llmsPath } from "./guide/markdown-pages.ts";
import { guidePage, guideSearch, llmsText } from "./guide-page.ts";
import { countRefused } from "./metering.ts";
import { type FileContent, pageHeaders, respondFile } from "./open-files.ts";
import { bodyOfAnyRows, openApiBody, openApiDocument } from "./openapi/document.ts";
import type { HealthStatus } from "./openapi/service-paths.ts";
import { pageScript } from "./page-scripts.ts";
import icon from "./reference/icon.svg" with { type: "text" };
import { renderReference } from "./reference/page.ts";
import { guideStylesheet, stylesheet } from "./reference/stylesheet.ts";
import { onlyReading, rateLimited, readingMethods } from "./refusals.ts";
import { type ResponseContext, respond, respondRedirect } from "./respond.ts";
import { ignoredHeader } from "./run-route.ts";
import { apiVersion, programVersion } from "./version.ts";

/** A health check waits no longer for the store than a load balancer does for the check. */
const healthDeadlineMs = 2_000;

/** What needs no key. */
export interface OpenPage {
  /** Its name in the metrics. */
  readonly route: string;
  /** Its possible statuses besides 405, for the metrics. */
  readonly statuses: readonly number[];
  /** Monitoring and documentation must never be refused; other pages are counted by address. */
  readonly isMetered: boolean;
  readonly answer: (deps: ApiDeps, context: ResponseContext, call: ApiCall) => Promise<Response>;
}

const guide: OpenPage = {
  route: guidePath,
  statuses: [200, 302, 304, 404],
  isMetered: false,
  answer: guidePage,
};

export const openPages: ReadonlyMap<string, OpenPage> = new Map<string, OpenPage>([
  ["/v1/health", { route: "/health", statuses: [200, 503], isMetered: false, answer: health }],
  [
    "/v1/openapi.json",
    {
      route: "/openapi.json",
      statuses: [200, 429],
      isMetered: true,
      answer: async (_, context, { query }) => {
        const hasAnyRows = new URLSearchParams(query).get("rows") === "any";
        const headers = ignoredHeader(namesIn(query).filter((name) => !(hasAnyRows && name === "rows")));
        return respond({ body: hasAnyRows ? bodyOfAnyRows() : openApiBody(), headers }, context);
      },
    },
  ],
  // The reference for people, from the same description that machines read. It can be read without its script.
  file("/docs", "text/html", () => renderReference(openApiDocument())),
  redirect("/docs/", "/docs"),
  file("/docs/reference.css", "text/css", () => stylesheet),
  file("/docs/reference.js", "text/javascript", () => pageScript("reference")),
  file("/docs/icon.svg", "image/svg+xml", () => icon),
  file("/docs/guide.css", "text/css", () => guideStylesheet),
  file("/docs/guide.js", "text/javascript", () => pageScript("guide")),
  // The address in the lines to copy is the reader's, so the page is made for each.
  [
    `${clientsPath}/`,
    {
      route: `${clientsPath}/`,
      statuses: [200],
      isMetered: false,
      answer: async (_, context, { headers }) =>
        respond({ body: renderClientsPage(addressOfClients(headers)), headers: pageHeaders("text/html") }, context),
    },
  ],
  redirect(clientsPath, "clients/"),
  ...Object.values(clientPackages).map((one) =>
    file(`${clientsPath}/${one.name}`, one.mediaType, () => clientPackage(one)),
  ),
  [guidePath, guide],
  [`${guidePath}.md`, guide],
  file(llmsPath, "text/plain", llmsText),
  [
    `${guidePath}/search`,
    {
      route: `${guidePath}/search`,
      statuses: [200, 429],
      // It costs more than a page.
      isMetered: true,
      answer: (_, context, { query }) => guideSearch(query, context),
    },
  ],
  redirect("/", "/portal"),
]);

function namesIn(query: string): string[] {
  return [...new Set(new URLSearchParams(query).keys())];
}

/** As far as it is known: a proxy may have taken a path away. */
function addressOfClients(headers: Headers): string {
  const [scheme] = /^https?/.exec(headers.get("x-forwarded-proto") ?? "") ?? ["http"];
  const host = headers.get("x-forwarded-host") ?? headers.get("host") ?? "";
  return `${scheme}://${/^[\w.:[\]-]+$/.test(host) ? host : "SERVER"}${clientsPath}/`;
}

/** What answers this path without a key; undefined: nothing does. */
export function openPageAt(path: string): OpenPage | undefined {
  return openPages.get(path) ?? (path.startsWith(`${guidePath}/`) ? guide : undefined);
}

/** A file for people, which is not part of the interface. */
function file(route: string, mediaType: string, make: () => FileContent | Promise<FileContent>): [string, OpenPage] {
  const answer: OpenPage["answer"] = (_, context) => respondFile(route, mediaType, make, context);
  return [route, { route, statuses: [200, 304], isMetered: false, answer }];
}

function redirect(route: string, location: string): [string, OpenPage] {
  const answer: OpenPage["answer"] = async (_, context) => respondRedirect(location, context);
  return [route, { route, statuses: [302], isMetered: false, answer }];
}

export async function answerOpen(page: OpenPage, deps: ApiDeps, call: ApiCall): Promise<Response> {
  call.routeName = page.route;
  if (!readingMethods.includes(call.method)) {
    await countRefused(deps, call);
    return refuseCall(deps, call, onlyReading());
  }
  if (page.isMetered) {
    const { reading, refusal } = deps.addressMeter.spend(clientAddressOf(call), call.now);
    call.reading = reading;
    if (refusal) return refuseCall(deps, call, rateLimited(refusal, reading));
  }
  return page.answer(deps, responseContext(deps, call), call);
}

async function health(deps: ApiDeps, context: ResponseContext, { query }: ApiCall): Promise<Response> {
  const { database, isDraining, observe } = deps;
  const healthAnswer = (status: HealthStatus) => answerOfHealth(status, query, context);
  // Whatever the store does: a balancer should look for another node.
  if (isDraining()) return healthAnswer("draining");
  try {
    await inTime(database.ping(), healthDeadlineMs);
    return healthAnswer("ok");
  } catch (cause) {
    observe({ kind: "request_failed", requestId: context.requestId, route: "/health", cause });
    return healthAnswer("unavailable");
  }
}

function answerOfHealth(status: HealthStatus, query: string, context: ResponseContext): Response {
  const body = JSON.stringify({ status, version: apiVersion, program: programVersion });
  const response = respond({ body, headers: ignoredHeader(namesIn(query)) }, context);
  return status === "ok" ? response : new Response(response.body, { status: 503, headers: response.headers });
}
