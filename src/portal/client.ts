/** What a request tells of the browser and of a proxy before us. */

/** Whether the browser speaks TLS, to us or to a proxy. */
export function isSecure(request: Request): boolean {
  const forwarded = firstOf(request.headers.get("x-forwarded-proto"));
  return (forwarded ?? new URL(request.url, "http://unnamed").protocol.replace(":", "")).toLowerCase() === "https";
}

/** The host as the browser names it. */
export function hostOf(request: Request): string {
  return firstOf(request.headers.get("x-forwarded-host")) ?? new URL(request.url, "http://unnamed").host;
}

function firstOf(list: string | null): string | null {
  return list?.split(",")[0]?.trim() || null;
}
