import type { Session } from "../access/sessions.ts";
import { rateLimited } from "../api/refusals.ts";
import { viewerKey } from "../domain/visibility.ts";
import { readBody } from "../http/body.ts";
import { inTime } from "../http/deadline.ts";
import { asFailure, methodNotAllowed } from "../http/failures.ts";
import { sessionCookie } from "./cookie.ts";
import { forbidden, nothingHere, notSignedIn } from "./refusals.ts";
import { refusePortalCall, respondJson } from "./respond.ts";
import {
  type AnyAnswer,
  apiPath,
  type OpenCall,
  type PortalCall,
  type PortalDeps,
  type PortalRoute,
  type SignedIn,
} from "./route.ts";
import { findPortalRoute } from "./routes.ts";
import { requireSameOrigin } from "./same-origin.ts";

/** Long enough to wait for a fleet file that is being loaded; a store that stopped answering must not block a person. */
const handlerDeadlineMs = 10_000;

/** Room for a list of some 25,000 devices. */
export const maxPortalBodyBytes = 1024 * 1024;
/** A person waits for less, also over a poor link. */
const uploadMs = 60_000;

/** Set by a page that asks on its own, while nobody has touched it for a while. */
const unattendedHeader = "x-odograph-unattended";

/** A request under /portal/api from top to bottom. Every failed check throws, and the first failure is the answer. */
export async function answerPortalRequest(parts: PortalDeps, call: PortalCall): Promise<Response> {
  const { request } = call;
  const lease = parts.bodies.open(call.address());
  let session: Session | null = null;
  try {
    const found = findPortalRoute(request.method, call.path);
    if (found.outcome === "nothing") throw nothingHere();
    if (found.outcome === "other methods") throw methodNotAllowed(found.allowed);
    const { route, values } = found;
    call.routeName = apiPath + route.path;
    if (route.who !== "anyone") session = await requireSession(parts, call);
    const signedIn = session && meter(parts, call, session);
    if (route.method !== "GET") requireSameOrigin(request);
    const body = await readBody(request, { maxBytes: maxPortalBodyBytes, lease, uploadMs });
    const answer = await inTime(
      handle(route, { ...call, parts: partsOf(parts, session), values, body }, signedIn),
      handlerDeadlineMs,
    );
    return answer instanceof Response ? answer : respondJson(answer, request);
  } catch (error) {
    return refusePortalCall(parts, call, asFailure(error), session);
  } finally {
    lease.release();
  }
}

/** An account with a made-up fleet has mails even where no server takes any: they are kept. */
function partsOf(parts: PortalDeps, session: Session | null): PortalDeps {
  return session?.account.isDemo ? { ...parts, mail: parts.mail ?? parts.keptMail } : parts;
}

async function requireSession({ sessions }: PortalDeps, call: PortalCall): Promise<Session> {
  const token = sessionCookie.read(call.request);
  const session = token === null ? null : await inTime(sessions.find(token, call.now, isUnattended(call)));
  if (session === null) throw notSignedIn();
  return session;
}

function meter(parts: PortalDeps, call: PortalCall, session: Session): SignedIn {
  const { reading, refusal } = parts.sessionMeter.spend(session.tokenHash, call.now);
  if (refusal) throw rateLimited(refusal, reading);
  return { session, reading, checkAccess: accessCheck(parts, call, session) };
}

/** Reading on is no use of the session, so one that nobody uses ends as usual. */
function accessCheck({ sessions }: PortalDeps, { request, clock }: PortalCall, { visibility }: Session) {
  const token = sessionCookie.read(request) ?? "";
  return async () => {
    const current = await inTime(sessions.find(token, clock(), true));
    if (current === null || viewerKey(current.visibility) !== viewerKey(visibility)) throw notSignedIn();
  };
}

/** A change is always made by a person. */
function isUnattended({ request }: PortalCall): boolean {
  return request.method === "GET" && request.headers.has(unattendedHeader);
}

async function handle(route: PortalRoute, call: OpenCall, signedIn: SignedIn | null): Promise<AnyAnswer | Response> {
  if (route.who === "anyone") return route.answer(call);
  if (signedIn === null) throw notSignedIn();
  const isOwner = signedIn.session.user.role === "owner";
  if (route.who === "owner" && !isOwner) throw forbidden("only the account's owner may do this");
  if (!isEdit(route)) return route.answer({ ...call, ...signedIn });
  const { parts } = call;
  return parts.editTurns.run(signedIn.session.visibility.accountId, async (database) =>
    route.answer({ ...call, ...signedIn, parts: { ...parts, database } }),
  );
}

/** Whether a route changes a fleet, or looks at what a change would do. */
function isEdit({ method, path }: PortalRoute): boolean {
  return method !== "GET" && path.startsWith("/fleet/");
}
