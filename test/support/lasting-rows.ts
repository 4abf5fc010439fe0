import type { Database } from "../../src/store/database.ts";
import { everyRow } from "./catalog.ts";

/** Counted on the side, whenever there is time, no matter which call it was. */
const counters = ["key_counters", "key_usage", "account_counters"];

/** All that is stored, but for what changes by itself: counters, and when a session was used last. */
export async function lastingRows(database: Database): Promise<Readonly<Record<string, readonly string[]>>> {
  const rows: Record<string, readonly string[]> = { ...(await everyRow(database)) };
  for (const name of counters) delete rows[name];
  rows.sessions = (rows.sessions ?? []).map((row) => {
    const { token_hash, user_id } = JSON.parse(row);
    return `${token_hash} ${user_id}`;
  });
  return rows;
}
