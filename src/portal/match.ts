import { methodRefused, nothingHere } from "./refusals.ts";
import type { PortalRoute } from "./route.ts";

export interface PortalMatch {
  readonly route: PortalRoute;
  readonly values: readonly string[];
}

export const apiPath = "/portal/api";

/** The route for a path and a method. Throws 404, or 405 with the methods that there are. */
export function matchRoute(routes: readonly PortalRoute[], method: string, path: string): PortalMatch {
  const parts = path.slice(apiPath.length).split("/");
  const there = routes.flatMap((route) => {
    const values = fit(route.path.split("/"), parts);
    return values === null ? [] : [{ route, values }];
  });
  if (there.length === 0) throw nothingHere();
  // HEAD is answered as GET, without a body.
  const wanted = method === "HEAD" ? "GET" : method;
  const found = there.find(({ route }) => route.method === wanted);
  if (!found)
    throw methodRefused(there.flatMap(({ route }) => (route.method === "GET" ? ["GET", "HEAD"] : route.method)));
  return found;
}

function fit(segments: readonly string[], parts: readonly string[]): string[] | null {
  const values: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const part = parts[index];
    if (part === undefined) return null;
    if (segment === "*") return [...values, parts.slice(index).join("/")];
    if (segment.startsWith("{")) values.push(part);
    else if (segment !== part) return null;
  }
  return parts.length === segments.length ? values : null;
}
