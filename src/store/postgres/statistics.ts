import type { Database } from "../database.ts";
import { plainSql, type Sql, sql } from "../sql.ts";

/**
 * Makes PostgreSQL analyse tables of whose rows it knows nothing: after a first load or a restore. It does so by itself after
 * a minute, unless that was turned off; until then it may choose the wrong index, and read a whole account to find one device.
 */
export async function analyseUnknownTables(database: Database, minBytes = 0): Promise<void> {
  const unknownTables = tablesUnknown(minBytes);
  if ((await database.all(unknownTables)).length === 0) return;
  await database.transaction(async (tx) => {
    await tx.lock("statistics");
    // Another node may have done it while we waited for the lock.
    const tables = await tx.all<{ name: string }>(unknownTables);
    for (const { name } of tables) await tx.run(plainSql(`analyze ${name}`));
  });
}

/**
 * Tables of our own schema that were never analysed, or when they had far fewer rows: perhaps none, because those of a long
 * transaction are seen only when it is committed. PostgreSQL would then join as if there were one row.
 */
const tablesUnknown = (minBytes: number): Sql => sql`
  select quote_ident(t.relname) as name from pg_class t
  join pg_class ours on ours.oid = 'schema_migrations'::regclass and t.relnamespace = ours.relnamespace
  where t.relkind = 'r' and pg_relation_size(t.oid) > ${minBytes}::bigint
    and (t.reltuples < 0 or pg_stat_get_live_tuples(t.oid) > ${growth}::bigint * t.reltuples)`;

const growth = 10;
