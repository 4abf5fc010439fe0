import { z } from "zod";
import type { Session } from "../../access/sessions.ts";
import type { SignInOutcome } from "../../access/sign-in.ts";
import { prefix } from "../../api/route.ts";
import type { Failure } from "../../domain/errors.ts";
import { visibleDevices } from "../../store/fleet/devices.ts";
import { hasDrivers } from "../../store/fleet/drivers.ts";
import type { SessionAnswer as SessionRecord } from "../both-sides/contract/session.ts";
import { browserLanguage } from "../browser-language.ts";
import { browserName } from "../browser-name.ts";
import { originOf } from "../client.ts";
import { needsConfirmation } from "../confirmed.ts";
import { browserCookie, homeCookie, sessionCookie } from "../cookie.ts";
import { historyBeside } from "../demo-history.ts";
import { readCheckedBody } from "../read-body.ts";
import { invalidFields, notSignedIn, tooManyAttempts, wrongSignIn } from "../refusals.ts";
import { givenEmail, givenPassword, newPassword } from "../request-fields.ts";
import { type OpenCall, type PortalAnswer, portalRoute, type SentBody } from "../route.ts";
import { mapRecord } from "../tiles/map-record.ts";
import { bothPreferences } from "./preferences.ts";

export const showSession = portalRoute("GET /session", "signed in", async (call) => ({
  body: await sessionBody(call, call.session),
}));

/** What the page offers before sign-in. */
export const showSignIn = portalRoute("GET /sign-in", "anyone", async ({ parts }) => ({
  body: {
    sends_mail: parts.mail !== null,
    openid: parts.openId && { name: parts.openId.name },
    needs_setup: await parts.firstRun.isNeeded(),
  },
}));

const credentials = z.object({ email: givenEmail, password: givenPassword });

export const startSessionRoute = portalRoute("POST /session", "anyone", async (call) => {
  const { request, parts, now } = call;
  const { email, password } = readCheckedBody(call, credentials);
  const done = await parts.signIn.signIn({ email, password, address: call.address(), ...presented(request) }, now);
  return answerSignedIn(call, done, wrongSignIn);
});

/** Begins the session of a person who has signed in, by whatever way, or refuses. */
export async function answerSignedIn(
  call: OpenCall,
  done: SignInOutcome,
  refusal: () => Failure,
  status = 200,
): Promise<PortalAnswer<SessionRecord>> {
  if (done.outcome === "throttled") throw tooManyAttempts(done.waitMs);
  if (done.outcome === "wrong") throw refusal();
  const { request } = call;
  const cookies = [sessionCookie.set(request, done.token), browserCookie.set(request, done.browserProofs)];
  return { status, body: await newSessionBody(call, done.token), cookies };
}

export async function newSessionBody(call: OpenCall, token: string): Promise<SessionRecord> {
  const session = await call.parts.sessions.find(token, call.now);
  if (session === null) throw notSignedIn();
  return sessionBody(call, session);
}

/** Also for a user who is not signed in. The browser stays known: that gives no access. */
export const endSessionRoute = portalRoute("DELETE /session", "anyone", async ({ request, parts, now }) => {
  const token = sessionCookie.read(request);
  if (token !== null) await parts.sessions.end(token, now);
  // Who looks at a made-up fleet has a session of their own beside.
  const home = homeCookie.read(request);
  if (home !== null) await parts.sessions.end(home, now);
  return { status: 204, cookies: [sessionCookie.end(request), ...(home === null ? [] : [homeCookie.end(request)])] };
});

const firstPassword = z.object({ new_password: newPassword });
const passwords = firstPassword.extend({ current_password: givenPassword });

export const changePassword = portalRoute("POST /password", "signed in", async (call) => {
  const { request, parts, session, now } = call;
  // Who signs in elsewhere has no password to give; who has one gives it.
  const body = call.body as SentBody<z.input<typeof passwords>>;
  const { current_password: current, new_password: next } = session.user.hasPassword
    ? readCheckedBody({ body }, passwords)
    : { current_password: null, ...readCheckedBody(call, firstPassword) };
  const change = { current, next, browserProofs: browserCookie.read(request), signal: request.signal };
  const done = await parts.signIn.changePassword(session, change, now);
  if (done.outcome === "throttled") throw tooManyAttempts(done.waitMs);
  if (done.outcome === "wrong") throw invalidFields({ current_password: "this is not your password" });
  if (done.outcome === "same") throw invalidFields({ new_password: "this is the password you have; choose another" });
  return { status: 204, cookies: [browserCookie.set(request, done.browserProofs)] };
});

/** What a browser shows of itself when a person signs in with it. */
export function presented(request: Request) {
  return {
    oldToken: sessionCookie.read(request),
    browserProofs: browserCookie.read(request),
    browser: browserName(request.headers.get("user-agent")),
    language: browserLanguage(request.headers),
    signal: request.signal,
  };
}

async function sessionBody({ request, parts }: OpenCall, session: Session): Promise<SessionRecord> {
  const { user, account } = session;
  const { perSecond, perDay, accountPerDay } = account.limits;
  const { accountId } = session.visibility;
  const first = { after: null, count: 1, status: null, search: null };
  const [vehicle] = await visibleDevices(parts.database, session.visibility, first);
  const limits = { per_second: perSecond, per_day: perDay, account_per_day: accountPerDay };
  return {
    user: {
      user_id: user.id,
      name: user.name,
      email: user.email,
      role: user.role,
      has_password: user.hasPassword,
      needs_confirmation: needsConfirmation(parts, user.isConfirmed),
    },
    account: { account_id: account.id, name: account.name, time_zone: account.timeZone, limits },
    preferences: await bothPreferences({ parts, session }),
    map: await mapRecord(parts),
    has_vehicles: vehicle !== undefined,
    has_drivers: await hasDrivers(parts.database, accountId),
    has_geocoder: parts.placeNames.hasGeocoder,
    demo_history: parts.demoHistory() ?? (account.isDemo ? await historyBeside(parts.database, accountId) : null),
    demo: account.isDemo ? { may_leave: homeCookie.read(request) !== null } : null,
    base_url: originOf(request) + prefix,
  };
}
