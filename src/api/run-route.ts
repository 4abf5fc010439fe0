import type { Visibility } from "../domain/visibility.ts";
import type { InTime } from "../http/deadline.ts";
import type { Found } from "../http/router.ts";
import { readInput, refuseProblems } from "./input/read-input.ts";
import type { Answer, Route, RouteCall } from "./route.ts";

export type FoundRoute = Extract<Found<Route>, { outcome: "found" }>;

/** Who looks, what was asked, when. */
export interface ViewerRequest {
  readonly visibility: Visibility;
  /** The key's id, or the user's who is signed in. */
  readonly caller: string;
  readonly query: string;
  readonly now: number;
}

/** Reads the input and lets the route answer it for one viewer. There is no other way to what the routes show. */
export async function runRoute(
  { database, cursors, kept, inTime }: Pick<RouteCall, "database" | "cursors" | "kept"> & { readonly inTime: InTime },
  { route, values }: FoundRoute,
  { visibility, caller, query, now }: ViewerRequest,
): Promise<Answer> {
  const { input, problems } = readInput(route.parameters, values, query);
  const routeCall = { database, visibility, caller, input, now, cursors, kept };
  refuseProblems(route.problems ? [...problems, ...route.problems(routeCall)] : problems);
  const answering = route.answer(routeCall);
  try {
    return await inTime(answering);
  } catch (error) {
    // What comes too late has no reader: a body that is made while it is sent would hold its place for nobody.
    answering.then(({ body }) => (body instanceof ReadableStream ? body.cancel() : undefined)).catch(() => {});
    throw error;
  }
}
