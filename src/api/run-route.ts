import type { Scope } from "../domain/scopes.ts";
import type { Visibility } from "../domain/visibility.ts";
import type { InTime } from "../http/deadline.ts";
import type { Found } from "../http/router.ts";
import { readInput, refuseProblems } from "./input/read-input.ts";
import type { Answer, Route, RouteCall } from "./route.ts";

export type FoundRoute = Extract<Found<Route>, { outcome: "found" }>;

/** Viewer, input, time. */
export interface ViewerRequest {
  readonly visibility: Visibility;
  /** The id of the key, or of the signed-in user. */
  readonly caller: string;
  readonly scopes: readonly Scope[];
  readonly query: string;
  readonly now: number;
}

type RouteParts = Pick<RouteCall, "database" | "cursors" | "seals" | "resumeTokens" | "cache"> & {
  readonly inTime: InTime;
};

/** Reads the input and lets the route answer it for one viewer. There is no other way to the routes' data. */
export async function runRoute(
  { inTime, ...parts }: RouteParts,
  { route, values }: FoundRoute,
  { visibility, caller, scopes, query, now }: ViewerRequest,
): Promise<Answer> {
  const { input, problems } = readInput(route.parameters, values, query);
  const { database, cursors, seals, resumeTokens, cache } = parts;
  const routeCall = { database, cursors, seals, resumeTokens, cache, visibility, caller, scopes, input, now };
  refuseProblems(route.problems ? [...problems, ...route.problems(routeCall)] : problems);
  const answering = route.answer(routeCall);
  try {
    return await inTime(answering);
  } catch (error) {
    // A late result has no reader: a streamed body would hold its place for nobody.
    answering.then(({ body }) => (body instanceof ReadableStream ? body.cancel() : undefined)).catch(() => {});
    throw error;
  }
}
