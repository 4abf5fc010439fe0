import { rateLimited } from "../api/refusals.ts";
import { asFailure, errorTable, type Failure } from "../domain/errors.ts";
import { readBody } from "../http/body.ts";
import { inTime } from "../http/deadline.ts";
import { presentedToken } from "./cookie.ts";
import { apiPath, matchRoute } from "./match.ts";
import { forbidden, notSignedIn } from "./refusals.ts";
import { respondJson, respondPortalFailure } from "./respond.ts";
import type { OpenCall, PortalAnswer, PortalCall, PortalParts, PortalRoute, SignedIn } from "./route.ts";
import { portalRoutes } from "./routes.ts";
import { requireSameOrigin } from "./same-origin.ts";

/** Long enough to wait for a fleet file that is being loaded; a store that stopped answering must not hold a person. */
const handlerDeadlineMs = 10_000;

/** Room for a list of some 25,000 devices. */
export const maxBodyBytes = 1024 * 1024;
/** A person waits for less, also over a poor link. */
const uploadMs = 60_000;

/** Set by a page that asks on its own, while nobody has touched it for a while. */
const unattendedHeader = "x-odograph-unattended";

/** A request under /portal/api from top to bottom. Whatever does not hold throws, and the first failure is the answer. */
export async function answerPortalRequest(parts: PortalParts, call: PortalCall): Promise<Response> {
  const { request, requestId } = call;
  const lease = parts.bodies.open(call.address());
  try {
    const { route, values } = matchRoute(portalRoutes, request.method, call.path);
    call.routeName = apiPath + route.path;
    const signedIn = route.who === "anyone" ? null : await requireSession(parts, call);
    if (route.method !== "GET") requireSameOrigin(request);
    const body = await readBody(request, { maxBytes: maxBodyBytes, lease, uploadMs });
    const answer = await inTime(handle(route, { ...call, parts, values, body }, signedIn), handlerDeadlineMs);
    return answer instanceof Response ? answer : respondJson(answer, request);
  } catch (error) {
    return respondPortalFailure(settleFailure(parts, call, error), request, requestId);
  } finally {
    lease.release();
  }
}

async function requireSession({ sessions, sessionMeter }: PortalParts, call: PortalCall): Promise<SignedIn> {
  const token = presentedToken(call.request);
  const session = token === null ? null : await inTime(sessions.find(token, call.now, isUnattended(call)));
  if (session === null) throw notSignedIn();
  const { reading, refusal } = sessionMeter.spend(session.tokenHash, call.now);
  if (refusal) throw rateLimited(refusal, reading);
  return { session, reading };
}

/** What changes something is always done by somebody. */
function isUnattended({ request }: PortalCall): boolean {
  return request.method === "GET" && request.headers.has(unattendedHeader);
}

async function handle(route: PortalRoute, call: OpenCall, signedIn: SignedIn | null): Promise<PortalAnswer | Response> {
  if (route.who === "anyone") return route.answer(call);
  if (signedIn === null) throw notSignedIn();
  const isOwner = signedIn.session.user.role === "owner";
  if (route.who === "owner" && !isOwner) throw forbidden("only the account's owner may do this");
  return route.answer({ ...call, ...signedIn });
}

function settleFailure({ observe }: PortalParts, { requestId, routeName }: PortalCall, error: unknown): Failure {
  const failure = asFailure(error);
  // The user was disabled, or the account suspended, while the request was under way.
  if (failure.code === "REFUSED") return forbidden(failure.message);
  if (errorTable[failure.code].status >= 500) {
    observe({ kind: "request_failed", requestId, route: routeName, cause: failure });
  }
  return failure;
}
