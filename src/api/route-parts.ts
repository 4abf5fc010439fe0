import { type InTime, storeDeadline } from "../http/deadline.ts";
import type { Database } from "../store/database.ts";
import { changesEpoch, sharedSecret } from "../store/secrets.ts";
import { ApiCache } from "./cache/api-cache.ts";
import { ResumeTokens } from "./changes/resume-tokens.ts";
import { Cursors } from "./input/cursor.ts";
import { Seals } from "./input/sealed.ts";
import type { RouteCall } from "./route.ts";

/** What routes work with, whoever asks. */
export type RouteParts = Pick<RouteCall, "database" | "cursors" | "seals" | "resumeTokens" | "cache"> & {
  /** The deadline of work that waits for the store. */
  readonly inTime: InTime;
};

export async function routeParts(database: Database): Promise<RouteParts> {
  const signing = await sharedSecret(database, "cursor_signing", Date.now());
  const seals = new Seals(signing);
  return {
    database,
    cursors: new Cursors(signing),
    seals,
    resumeTokens: new ResumeTokens(seals, await changesEpoch(database, Date.now())),
    cache: new ApiCache(database),
    inTime: storeDeadline(database),
  };
}
