import type { Visibility } from "../domain/visibility.ts";
import { inTime } from "../http/deadline.ts";
import { readInput, refuseProblems } from "./input/read-input.ts";
import type { Match } from "./match.ts";
import type { Answer, RouteCall } from "./route.ts";

/** Who looks, what was asked, when. */
export interface ViewerRequest {
  readonly visibility: Visibility;
  /** The key's id, or the user's who is signed in. */
  readonly caller: string;
  readonly query: string;
  readonly now: number;
}

/** Reads the input and lets the route answer it for one viewer. There is no other way to what the routes show. */
export function runRoute(
  { database, cursors, kept }: Omit<RouteCall, "visibility" | "caller" | "input" | "now">,
  { route, values }: Match,
  { visibility, caller, query, now }: ViewerRequest,
): Promise<Answer> | Answer {
  const { input, problems } = readInput(route.parameters, values, query);
  const routeCall = { database, visibility, caller, input, now, cursors, kept };
  refuseProblems(route.problems ? [...problems, ...route.problems(routeCall)] : problems);
  const answer = route.answer(routeCall);
  // SQLite answers before a timer could run; a server elsewhere may stop answering.
  return database.engine === "postgres" && answer instanceof Promise ? answeredInTime(answer) : answer;
}

/** What comes too late has no reader: a body that is made while it is sent would hold its place for nobody. */
async function answeredInTime(answering: Promise<Answer>): Promise<Answer> {
  try {
    return await inTime(answering);
  } catch (error) {
    answering.then(({ body }) => (body instanceof ReadableStream ? body.cancel() : undefined)).catch(() => {});
    throw error;
  }
}
