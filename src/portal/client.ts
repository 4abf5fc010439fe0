import { urlParts } from "../http/url.ts";

/** What a request says about the browser and about a proxy before us. */

/** Whether the browser speaks TLS, to us or to a proxy. */
export function isSecure(request: Request): boolean {
  const forwarded = firstOf(request.headers.get("x-forwarded-proto"));
  return forwarded === null ? request.url.startsWith("https:") : forwarded.toLowerCase() === "https";
}

/** The host as the browser names it; empty if it names none. */
export function hostOf(request: Request): string {
  return firstOf(request.headers.get("x-forwarded-host")) ?? urlParts(request.url).host;
}

/** Where the browser finds us. */
export function originOf(request: Request): string {
  return `${isSecure(request) ? "https" : "http"}://${hostOf(request)}`;
}

function firstOf(list: string | null): string | null {
  return list?.split(",")[0]?.trim() || null;
}
