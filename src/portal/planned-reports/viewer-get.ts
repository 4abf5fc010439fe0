import { prefix } from "../../api/route.ts";
import type { Api } from "../../api/server.ts";
import { allScopes } from "../../domain/scopes.ts";
import type { UserVisibility } from "../../domain/visibility.ts";
import type { Database } from "../../store/database.ts";
import { fleetDays } from "../fleet-days/fleet-days.ts";
import type { getJson } from "../page/api/request.ts";

export interface ViewerDeps {
  readonly database: Database;
  readonly api: Pick<Api, "answerViewer">;
}

/** Nobody's calls are counted here: reports have limits of their own. */
const unmetered = {
  day: 0,
  limitPerDay: 0,
  remainingDay: 0,
  resetSeconds: 0,
  limitPerSecond: 0,
  remainingSecond: 0,
};

const dataPath = "/data/";

/** Reads what the page of a person would read, by the functions that answer the page: what they see now, and no more. */
export function viewerGet({ database, api }: ViewerDeps, visibility: UserVisibility, now: number): typeof getJson {
  return async <T>(address: string, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    const { pathname, search } = new URL(address, "http://portal");
    const query = search.slice(1);
    if (pathname === "/fleet-days") return plain<T>(await fleetDays(database, visibility, query, now));
    if (!pathname.startsWith(dataPath)) throw new Error(`a report asks for ${pathname}`);
    const response = await api.answerViewer({
      requestId: crypto.randomUUID(),
      method: "GET",
      path: `${prefix}/${pathname.slice(dataPath.length)}`,
      query,
      headers: new Headers(),
      visibility,
      caller: visibility.userId,
      checkAccess: async () => {},
      scopes: allScopes,
      reading: unmetered,
      now,
    });
    if (!response.ok) throw new Error(`a report was answered ${response.status} at ${pathname}`);
    return (await response.json()) as T;
  };
}

/** As the page gets it. */
function plain<T>(body: unknown): T {
  return JSON.parse(JSON.stringify(body)) as T;
}
