import type { Database, OpenOptions } from "./database.ts";
import { openPostgres } from "./postgres/open.ts";
import { openSqlite } from "./sqlite/open.ts";

/** Where the store is: a directory of ours, or a PostgreSQL server. */
export type StoreTarget =
  | { readonly engine: "sqlite"; readonly directory: string; readonly lockTimeoutMs?: number }
  | {
      readonly engine: "postgres";
      readonly url: string;
      readonly poolSize?: number;
      readonly statementTimeoutMs?: number;
      /** Commits need not be on disk when acknowledged: for counters, never for what a customer sent. */
      readonly relaxedCommits?: boolean;
    };

export function openDatabase(target: StoreTarget, options: OpenOptions): Promise<Database> {
  switch (target.engine) {
    case "sqlite":
      // Long enough for a large `load` beside the server.
      return openSqlite(target.directory, { ...options, lockTimeoutMs: target.lockTimeoutMs ?? 15_000 });
    case "postgres":
      return openPostgres(target.url, {
        ...options,
        poolSize: target.poolSize ?? 10,
        statementTimeoutMs: target.statementTimeoutMs ?? 15_000,
        relaxedCommits: target.relaxedCommits ?? false,
      });
  }
}
