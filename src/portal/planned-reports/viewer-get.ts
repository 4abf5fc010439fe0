import { prefix } from "../../api/route.ts";
import type { Api } from "../../api/server.ts";
import { allScopes } from "../../domain/scopes.ts";
import type { UserVisibility } from "../../domain/visibility.ts";
import type { Database } from "../../store/database.ts";
import type { CallTarget } from "../both-sides/address.ts";
import type { AnswerTo, ReadName } from "../both-sides/contract/contract.ts";
import type { ReadJson } from "../both-sides/lists.ts";
import { driverSums } from "../fleet-days/driver-sums.ts";
import { fleetDays } from "../fleet-days/fleet-days.ts";

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

const dataPath = "GET /data/";

/** Reads what the page of a person would read, by the functions that answer the page: what they see now, and no more. */
export function viewerGet({ database, api }: ViewerDeps, visibility: UserVisibility, now: number): ReadJson {
  return async <Name extends ReadName>(target: CallTarget<Name>, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    const [name = "", query = ""] = target.split("?");
    if (name === "GET /fleet-days") {
      // As the page gets it.
      return JSON.parse(JSON.stringify(await fleetDays(database, visibility, query, now))) as AnswerTo<Name>;
    }
    if (name === "GET /driver-sums") {
      return JSON.parse(JSON.stringify(await driverSums(database, visibility, query))) as AnswerTo<Name>;
    }
    if (!name.startsWith(dataPath)) throw new Error(`a report asks for ${name}`);
    const response = await api.answerViewer({
      requestId: crypto.randomUUID(),
      method: "GET",
      path: `${prefix}/${name.slice(dataPath.length)}`,
      query,
      headers: new Headers(),
      visibility,
      caller: visibility.userId,
      checkAccess: async () => {},
      scopes: allScopes,
      reading: unmetered,
      now,
    });
    if (!response.ok) throw new Error(`a report was answered ${response.status} at ${name}`);
    return (await response.json()) as AnswerTo<Name>;
  };
}
