import { isEmbedded, type Reader } from "./database.ts";
import { sql } from "./sql.ts";

/** PostgreSQL's clock in milliseconds, at the moment when the statement reads it. */
export const databaseClock = sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

/**
 * What time it is in the store. Nodes that share work must agree on it: the clock of one of them may be an hour wrong. An
 * embedded store has no clock of its own.
 */
export async function storeNow(reader: Reader): Promise<number> {
  if (isEmbedded(reader)) return Date.now();
  const row = await reader.get<{ now: number }>(sql`select ${databaseClock} as now`);
  return row?.now ?? Date.now();
}
