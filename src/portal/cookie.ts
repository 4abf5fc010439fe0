import { knownBrowserMs } from "../access/known-browsers.ts";
import { sessionLifetimeMs } from "../access/sessions.ts";
import { isSecure } from "./client.ts";

const session = "odograph_session";
const sessionForm = new RegExp(`(?:^|;\\s*)${session}=([\\w-]+)\\s*(?:;|$)`);
/** Proves that someone has signed in with this browser before. It outlives the session, and gives no access. */
const browser = "odograph_browser";
const browserForm = new RegExp(`(?:^|;\\s*)${browser}=([\\w.~-]+)\\s*(?:;|$)`);

/** A sign-in at an OpenID provider that this browser has begun. */
const pending = "odograph_sign_in";
const pendingForm = new RegExp(`(?:^|;\\s*)${pending}=([\\w-]+)\\s*(?:;|$)`);

/** The session's token as the browser shows it. */
export function presentedToken(request: Request): string | null {
  return sessionForm.exec(request.headers.get("cookie") ?? "")?.[1] ?? null;
}

export function presentedProofs(request: Request): string | null {
  return browserForm.exec(request.headers.get("cookie") ?? "")?.[1] ?? null;
}

export function sessionCookie(request: Request, token: string): string {
  return cookie(request, session, token, sessionLifetimeMs / 1000);
}

export function endedCookie(request: Request): string {
  return cookie(request, session, "", 0);
}

export function browserCookie(request: Request, proofs: string): string {
  return cookie(request, browser, proofs, knownBrowserMs / 1000);
}

export function presentedSignIn(request: Request): string | null {
  return pendingForm.exec(request.headers.get("cookie") ?? "")?.[1] ?? null;
}

export function pendingCookie(request: Request, sealed: string, lifetimeMs: number): string {
  return cookie(request, pending, sealed, lifetimeMs / 1000);
}

export function endedPendingCookie(request: Request): string {
  return cookie(request, pending, "", 0);
}

/** No script can read it, no other site makes the browser send it, and it never leaves the portal's path. */
function cookie(request: Request, name: string, value: string, maxAgeSeconds: number): string {
  const flags = `Path=/portal; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`;
  return `${name}=${value}; ${flags}${isSecure(request) ? "; Secure" : ""}`;
}
