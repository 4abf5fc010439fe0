import { expect } from "bun:test";
import type { Route } from "../../src/api/route.ts";
import type { ApiResponse } from "./api.ts";
import type { ApiWorld } from "./api-fleet.ts";

export type Query = Readonly<Record<string, string | readonly string[]>>;

/** A request of the owner that is right and finds something, relative to /v1. */
export interface RightRequest {
  readonly path: string;
  readonly query: Query;
}

/** What the tests of a route work with. */
export interface RouteUnderTest {
  readonly route: Route;
  readonly world: () => ApiWorld;
  readonly request: () => RightRequest;
}

export function urlOf({ path, query }: RightRequest): string {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) search.append(name, value);
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

/** The same request with these parameters in the place of its own, or beside them. */
export function urlWith({ path, query }: RightRequest, changes: Query): string {
  return urlOf({ path, query: { ...query, ...changes } });
}

export function queryParametersOf(route: Route): string[] {
  return route.parameters.filter((parameter) => parameter.in === "query").map((parameter) => parameter.name);
}

/** The body of a failure without what differs from call to call. */
export function failureOf({ status, body }: ApiResponse) {
  return { status, error: body.error };
}

/** All records of a list, over pages of that size, and how many pages they came on. */
export async function walk(world: ApiWorld, request: RightRequest, limit: number, carriesQuery = true) {
  const records: unknown[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const asked: Query = cursor === null ? { limit: String(limit) } : { limit: String(limit), cursor };
    const query = carriesQuery || cursor === null ? { ...request.query, ...asked } : asked;
    const { status, body } = await world.get(urlOf({ path: request.path, query }));
    expect(status).toBe(200);
    expect(body.data.length).toBeLessThanOrEqual(limit);
    records.push(...body.data);
    cursor = body.next_cursor;
    pages++;
  } while (cursor !== null && pages < 1000);
  return { records, pages };
}

export function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** In the order of lists: by the first key, ties by the next. */
export function sortedBy<Row>(rows: readonly Row[], ...keys: readonly ((row: Row) => number | string)[]): Row[] {
  return rows.toSorted((one, other) => {
    for (const key of keys) {
      if (key(one) !== key(other)) return key(one) < key(other) ? -1 : 1;
    }
    return 0;
  });
}

/** An answer about the caller says what is left of its limits. */
export function sameButLimits(text: string): string {
  return text.replace(/"(remaining_today|resets_at)":("[^"]*"|\d+)/g, '"$1":0');
}
