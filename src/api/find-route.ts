import { createRouter } from "../http/router.ts";
import { readingMethods } from "./refusals.ts";
import { prefix } from "./route.ts";
import { routes } from "./routes.ts";

export const findRoute = createRouter(
  routes.map((route) => ({ methods: readingMethods, path: prefix + route.path, route })),
  decoded,
);

/** Null for what is empty or cannot be decoded: no record has such an id. */
function decoded(segment: string): string | null {
  if (segment === "") return null;
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment) || null;
  } catch {
    return null;
  }
}
