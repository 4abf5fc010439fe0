import type { Observe } from "../observe/observation.ts";
import { type Database, isEmbedded } from "./database.ts";
import { dropEmptyPartitions, ensureFramePartitions } from "./postgres/partitions.ts";
import { analyseUnknownTables } from "./postgres/statistics.ts";

/** What a store needs done periodically while a server runs. */
export interface Upkeep {
  readonly task: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

/** A server that runs for months must make partitions for the months to come. */
const partitionsMs = 6 * 60 * 60 * 1000;
/** A first load into a running server is analysed soon, but not after its first rows. */
const statisticsMs = 10_000;
const worthCountingBytes = 1024 * 1024;

/** An embedded store needs nothing. */
export function upkeepOf(database: Database, observe: Observe): readonly Upkeep[] {
  if (isEmbedded(database)) return [];
  const makePartitions = async () => {
    const count = await ensureFramePartitions(database, Date.now());
    if (count > 0) observe({ kind: "partitions_made", count });
  };
  return [
    { task: "partitions", everyMs: partitionsMs, run: makePartitions },
    { task: "statistics", everyMs: statisticsMs, run: () => analyseUnknownTables(database, worthCountingBytes) },
  ];
}

/** Releases the space of dropped frames. An embedded store reuses it for other rows by itself. */
export async function releaseDropped(database: Database, before: number, now: number): Promise<void> {
  if (!isEmbedded(database)) await dropEmptyPartitions(database, before, now);
}
