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
  readonly query: string;
  readonly now: number;
}

/** Reads the input and lets the route answer it for one viewer. There is no other way to the routes' data. */
export async function runRoute(
  { database, cursors, cache, inTime }: Pick<RouteCall, "database" | "cursors" | "cache"> & { readonly inTime: InTime },
  { route, values }: FoundRoute,
  { visibility, caller, query, now }: ViewerRequest,
): Promise<Answer> {
  const { input, problems } = readInput(route.parameters, values, query);
  const routeCall = { database, visibility, caller, input, now, cursors, cache };
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
