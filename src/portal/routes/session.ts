import { z } from "zod";
import { isFitPassword, passwordExpected } from "../../access/passwords.ts";
import type { Session } from "../../access/sessions.ts";
import { prefix } from "../../api/route.ts";
import { isText } from "../../domain/text.ts";
import { visibleDevices } from "../../store/devices.ts";
import { browserName } from "../browser-name.ts";
import { hostOf, isSecure } from "../client.ts";
import { browserCookie, endedCookie, presentedProofs, presentedToken, sessionCookie } from "../cookie.ts";
import { mapRecord } from "../map-record.ts";
import type { Session as SessionRecord } from "../page/api/portal-records.ts";
import { givenPassword, readBody } from "../read-body.ts";
import { invalidFields, notSignedIn, tooManyAttempts, wrongSignIn } from "../refusals.ts";
import type { OpenCall, PortalRoute } from "../route.ts";
import { bothPreferences } from "./preferences.ts";

export const showSession: PortalRoute = {
  method: "GET",
  path: "/session",
  who: "signed in",
  answer: async (call) => ({ status: 200, body: await sessionBody(call, call.session) }),
};

const maxEmailLength = 254;
const emailExpected = `expected an e-mail address of at most ${maxEmailLength} characters`;
const credentials = z.object({
  email: z
    .string({ error: emailExpected })
    .refine((text) => isText(text.trim(), 1, maxEmailLength), { error: emailExpected }),
  password: givenPassword,
});

export const startSession: PortalRoute = {
  method: "POST",
  path: "/session",
  who: "anyone",
  async answer(call) {
    const { request, parts, now } = call;
    const { email, password } = readBody(call, credentials);
    const done = await parts.signIn.signIn({ email, password, address: call.address(), ...presented(request) }, now);
    if (done.outcome === "throttled") throw tooManyAttempts(done.waitMs);
    if (done.outcome === "wrong") throw wrongSignIn();
    const session = await parts.sessions.find(done.token, now);
    if (session === null) throw notSignedIn();
    const cookies = [sessionCookie(request, done.token), browserCookie(request, done.browserProofs)];
    return { status: 200, body: await sessionBody(call, session), cookies };
  },
};

/** Also for a user who is not signed in. The browser stays known: that gives no access. */
export const endSession: PortalRoute = {
  method: "DELETE",
  path: "/session",
  who: "anyone",
  async answer({ request, parts, now }) {
    const token = presentedToken(request);
    if (token !== null) await parts.sessions.end(token, now);
    return { status: 204, cookies: [endedCookie(request)] };
  },
};

const firstPassword = z.object({
  new_password: z
    .string({ error: `expected ${passwordExpected}` })
    .refine(isFitPassword, { error: `expected ${passwordExpected}` }),
});

const passwords = firstPassword.extend({ current_password: givenPassword });

export const changePassword: PortalRoute = {
  method: "POST",
  path: "/password",
  who: "signed in",
  async answer({ request, body, parts, session, now }) {
    // Who signs in elsewhere has no password to give.
    const { current_password: current, new_password: next } = session.user.hasPassword
      ? readBody({ body }, passwords)
      : { current_password: null, ...readBody({ body }, firstPassword) };
    const change = { current, next, browserProofs: presentedProofs(request), signal: request.signal };
    const done = await parts.signIn.changePassword(session, change, now);
    if (done.outcome === "throttled") throw tooManyAttempts(done.waitMs);
    if (done.outcome === "wrong") throw invalidFields({ current_password: "this is not your password" });
    if (done.outcome === "same") throw invalidFields({ new_password: "this is the password you have; choose another" });
    return { status: 204, cookies: [browserCookie(request, done.browserProofs)] };
  },
};

/** What a browser shows of itself when somebody signs in with it. */
export function presented(request: Request) {
  return {
    oldToken: presentedToken(request),
    browserProofs: presentedProofs(request),
    browser: browserName(request.headers.get("user-agent")),
    signal: request.signal,
  };
}

export async function sessionBody({ request, parts }: OpenCall, session: Session): Promise<SessionRecord> {
  const { user, account } = session;
  const { perSecond, perDay, accountPerDay } = account.limits;
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
    },
    account: { account_id: account.id, name: account.name, time_zone: account.timeZone, limits },
    preferences: await bothPreferences({ parts, session }),
    map: await mapRecord(parts),
    has_vehicles: vehicle !== undefined,
    has_geocoder: parts.geocoder !== null,
    base_url: `${isSecure(request) ? "https" : "http"}://${hostOf(request)}${prefix}`,
  };
}
