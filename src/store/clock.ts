import { isEmbedded, type Reader } from "./database.ts";
import { sql } from "./sql.ts";

/** PostgreSQL's clock in milliseconds, at the moment when the statement reads it. */
export const databaseClock = sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

/** The store's time. Nodes that share work must agree on it: a clock may be wrong. An embedded store has none of its own. */
export async function storeNow(reader: Reader): Promise<number> {
  if (isEmbedded(reader)) return Date.now();
  const row = await reader.get<{ now: number }>(sql`select ${databaseClock} as now`);
  return row?.now ?? Date.now();
}
