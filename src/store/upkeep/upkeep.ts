import { type Database, isEmbedded } from "../database.ts";
import { analyseUnknownTables } from "../postgres/statistics.ts";

/** What a store needs done periodically while a server runs. */
export interface Upkeep {
  readonly task: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

/** A first load into a running server is analysed soon, but not after its first rows. */
const statisticsMs = 10_000;
const worthCountingBytes = 1024 * 1024;

/** An embedded store needs nothing. */
export function upkeepOf(database: Database): readonly Upkeep[] {
  if (isEmbedded(database)) return [];
  return [{ task: "statistics", everyMs: statisticsMs, run: () => analyseUnknownTables(database, worthCountingBytes) }];
}
