import type { Route } from "./route.ts";

export interface Match {
  readonly route: Route;
  /** The path parameters in the order of the path, decoded. */
  readonly values: readonly string[];
}

interface Pattern {
  readonly route: Route;
  readonly segments: readonly string[];
}

/** Everything is under the version's prefix; a new version gets a new one and this one stays. */
export const prefix = "/v1";

/** Finds routes by path. Paths without parameters are found in one step; the others by their segments. */
export function createMatcher(routes: readonly Route[]): (path: string) => Match | null {
  const plain = new Map<string, Match>();
  const patterns = new Map<number, Pattern[]>();
  for (const route of routes) {
    if (!route.path.includes("{")) {
      plain.set(prefix + route.path, { route, values: [] });
      continue;
    }
    const segments = (prefix + route.path).split("/");
    patterns.set(segments.length, [...(patterns.get(segments.length) ?? []), { route, segments }]);
  }
  return (path) => {
    const found = plain.get(path);
    if (found) return found;
    const parts = path.split("/");
    for (const { route, segments } of patterns.get(parts.length) ?? []) {
      const values = fit(segments, parts);
      if (values) return { route, values };
    }
    return null;
  };
}

function fit(segments: readonly string[], parts: readonly string[]): string[] | null {
  const values: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? "";
    if (segment.startsWith("{")) {
      const value = decoded(part);
      if (value === null || value === "") return null;
      values.push(value);
    } else if (segment !== part) return null;
  }
  return values;
}

function decoded(part: string): string | null {
  if (!part.includes("%")) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
