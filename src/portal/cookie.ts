import { knownBrowserMs } from "../access/known-browsers.ts";
import { sessionLifetimeMs } from "../access/sessions.ts";
import { isSecure } from "./client.ts";
import { pendingMs } from "./openid/sealed.ts";

/** The session's token. */
export const sessionCookie = cookie("odograph_session", "[\\w-]", sessionLifetimeMs);

/** The owner's own session while they look at a made-up fleet. */
export const homeCookie = cookie("odograph_home", "[\\w-]", sessionLifetimeMs);

/** Proves that someone has signed in with this browser before. It outlives the session, and gives no access. */
export const browserCookie = cookie("odograph_browser", "[\\w.~-]", knownBrowserMs);

/** A sign-in at an OpenID provider that this browser has begun. */
export const pendingCookie = cookie("odograph_sign_in", "[\\w-]", pendingMs);

/** No script can read it, no other site makes the browser send it, and it never leaves the portal's path. */
function cookie(name: string, character: string, lifetimeMs: number) {
  const form = new RegExp(`(?:^|;\\s*)${name}=(${character}+)\\s*(?:;|$)`);
  const header = (request: Request, value: string, seconds: number) => {
    const flags = `Path=/portal; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
    return `${name}=${value}; ${flags}${isSecure(request) ? "; Secure" : ""}`;
  };
  return {
    read: (request: Request) => form.exec(request.headers.get("cookie") ?? "")?.[1] ?? null,
    set: (request: Request, value: string) => header(request, value, lifetimeMs / 1000),
    end: (request: Request) => header(request, "", 0),
  };
}
