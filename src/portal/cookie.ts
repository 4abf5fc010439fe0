import { sessionLifetimeMs } from "../access/sessions.ts";
import { isSecure } from "./client.ts";

const name = "odograph_session";
const pattern = new RegExp(`(?:^|;\\s*)${name}=([\\w-]+)\\s*(?:;|$)`);

/** The session's token as the browser shows it. */
export function presentedToken(request: Request): string | null {
  return pattern.exec(request.headers.get("cookie") ?? "")?.[1] ?? null;
}

/** No script can read it, no other site makes the browser send it, and it never leaves the portal's path. */
export function sessionCookie(request: Request, token: string): string {
  return cookie(request, token, sessionLifetimeMs / 1000);
}

export function endedCookie(request: Request): string {
  return cookie(request, "", 0);
}

function cookie(request: Request, value: string, maxAgeSeconds: number): string {
  const flags = `Path=/portal; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`;
  return `${name}=${value}; ${flags}${isSecure(request) ? "; Secure" : ""}`;
}
