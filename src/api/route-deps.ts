import { type InTime, storeDeadline } from "../http/deadline.ts";
import { changesEpoch, sharedSecret } from "../store/access/secrets.ts";
import type { Database } from "../store/database.ts";
import type { Replica } from "../store/replica/replica.ts";
import { ApiCache } from "./cache/api-cache.ts";
import { ResumeTokens } from "./changes/resume-tokens.ts";
import { Cursors } from "./input/cursor.ts";
import { Seals } from "./input/sealed.ts";
import { ReadyAnswers } from "./ready-answers.ts";
import type { RouteCall } from "./route.ts";

export type RouteDeps = Pick<RouteCall, "database" | "cursors" | "seals" | "resumeTokens" | "cache"> & {
  /** The deadline of work that waits for the store. */
  readonly inTime: InTime;
  readonly answers: ReadyAnswers;
  /** Null: all pages are read from the database. */
  readonly replica: Replica | null;
};

export async function routeDeps(database: Database, replica: Replica | null = null): Promise<RouteDeps> {
  const signing = await sharedSecret(database, "cursor_signing", Date.now());
  const seals = new Seals(signing);
  return {
    database,
    replica,
    cursors: new Cursors(signing),
    seals,
    resumeTokens: new ResumeTokens(seals, await changesEpoch(database, Date.now())),
    cache: new ApiCache(database),
    inTime: storeDeadline(database),
    answers: new ReadyAnswers(),
  };
}
