import type { z } from "zod";
import type { Scope } from "../domain/scopes.ts";
import type { Visibility } from "../domain/visibility.ts";
import type { ReadyBody } from "../http/ready-body.ts";
import type { Database } from "../store/database.ts";
import type { Kept } from "./cache/cached.ts";
import type { Cursors } from "./input/cursor.ts";
import type { Input, Parameter } from "./input/parameter.ts";
import type { LentBody } from "./records/body.ts";

/** Everything is under the version's prefix; a new version gets a new one and this one stays. */
export const prefix = "/v1";

/** What a handler may use: who looks, what was asked, when. */
export interface RouteCall {
  readonly database: Database;
  readonly visibility: Visibility;
  /** Whose call it is: the key's id, or the user's who is signed in. */
  readonly caller: string;
  readonly input: Input;
  readonly now: number;
  readonly cursors: Cursors;
  readonly kept: Kept;
}

/** A body as JSON: made for this call, cached, or so long that it is made while it is sent. */
export interface Answer {
  readonly body: string | LentBody | ReadyBody | ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A route is data: validation, the description, the reference page and the tests are made from it. A scope and an example
 * are not optional, so that a route without them does not compile.
 */
export interface Route {
  /** Relative to /v1, with `{name}` for path parameters. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** What the key must carry. */
  readonly scope: Scope;
  readonly parameters: readonly Parameter<unknown>[];
  readonly response: z.ZodType;
  /** A request, relative to /v1, and the body it is answered with. */
  readonly example: { readonly request: string; readonly response: unknown };
  /** Whether answers carry an ETag and may be 304. Such a call is charged to the day only if it is not. */
  readonly conditional: boolean;
  /** Whether answers name their window in headers. */
  readonly windowed: boolean;
  /** Whether `device_id` or `imei` must be given, where both are otherwise filters. */
  readonly needsDevice?: boolean;
  /** What is wrong with the parameters together, each with its name in front: `from: expected …`. */
  readonly problems?: (call: RouteCall) => readonly string[];
  readonly answer: (call: RouteCall) => Promise<Answer>;
}

/** What a route says of itself, whatever it does. */
export type RouteText = Pick<Route, "path" | "operationId" | "tag" | "summary" | "description" | "scope" | "example">;

export function routeText(of: RouteText): RouteText {
  const { path, operationId, tag, summary, description, scope, example } = of;
  return { path, operationId, tag, summary, description, scope, example };
}
