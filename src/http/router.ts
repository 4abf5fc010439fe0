/** Where a route is served. */
export interface RouteEntry<Route> {
  /** HEAD is a method like any other. */
  readonly methods: readonly string[];
  /** `{name}` matches one segment, `*` at the end all the rest. */
  readonly path: string;
  readonly route: Route;
}

export type RouteMatch<Route> =
  /** `values` are what matches each `{name}` and `*`, in order. */
  | { readonly outcome: "found"; readonly route: Route; readonly values: readonly string[] }
  /** The path is served, but not by this method; `route` is one of those that serve it. */
  | { readonly outcome: "other methods"; readonly route: Route; readonly allowed: readonly string[] }
  | { readonly outcome: "nothing" };

/** Reads the segment that matches a `{name}`; null if it cannot be a value. What `*` matches is left as it is. */
export type ReadValue = (segment: string) => string | null;

type Served<Route> = Map<string, Route>;

const nothing = { outcome: "nothing" } as const;

/** Finds the route for a method and a path. A path without `{name}` is found in one step; the others by their segments. */
export function createRouter<Route>(
  entries: readonly RouteEntry<Route>[],
  readValue: ReadValue = (segment) => segment,
): (method: string, path: string) => RouteMatch<Route> {
  const plain = new Map<string, Served<Route>>();
  const patterns = new Map<string, Served<Route>>();
  for (const { methods, path, route } of entries) {
    const kind = /[{*]/.test(path) ? patterns : plain;
    const served = kind.getOrInsertComputed(path, () => new Map());
    for (const method of methods) served.set(method, route);
  }
  const bySegments = [...patterns].map(([path, served]) => ({ segments: path.split("/"), served }));
  return (method, path) => {
    const served = plain.get(path);
    if (served) return choose(served, method, []);
    const parts = path.split("/");
    for (const { segments, served } of bySegments) {
      const values = valuesIn(parts, segments, readValue);
      if (values) return choose(served, method, values);
    }
    return nothing;
  };
}

function choose<Route>(served: Served<Route>, method: string, values: readonly string[]): RouteMatch<Route> {
  const route = served.get(method);
  if (route !== undefined) return { outcome: "found", route, values };
  const [other] = served.values();
  return other === undefined ? nothing : { outcome: "other methods", route: other, allowed: [...served.keys()] };
}

function valuesIn(parts: readonly string[], segments: readonly string[], readValue: ReadValue): string[] | null {
  const values: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const part = parts[index];
    if (part === undefined) return null;
    if (segment === "*") return [...values, parts.slice(index).join("/")];
    if (segment.startsWith("{")) {
      const value = readValue(part);
      if (value === null) return null;
      values.push(value);
    } else if (segment !== part) return null;
  }
  return parts.length === segments.length ? values : null;
}
