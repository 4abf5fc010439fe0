import { Failure } from "../../domain/errors.ts";
import type { Reader } from "../database.ts";
import { plainSql, sql } from "../sql.ts";

/** Held while a store is being spread: a program that opens it meanwhile would take it for one that is not. */
export const spreadingLock = "hashtextextended('odograph:spreading', 0)";

/** Whether `odograph distribute` has spread the store over the machines of a Citus cluster. Waits for one that does it now. */
export async function isSpread(reader: Reader): Promise<boolean> {
  const citus = await reader.get<{ there: boolean }>(sql`select to_regclass('pg_dist_partition') is not null as there`);
  if (!citus?.there) return false;
  await reader.get(plainSql(`select pg_advisory_xact_lock_shared(${spreadingLock})`));
  const here = await reader.get<{ worker: boolean }>(
    plainSql("select groupid <> 0 as worker from pg_dist_local_group"),
  );
  if (here?.worker)
    throw new Failure("WRONG_SETTING", "DATABASE_URL leads to a worker: it must lead to the coordinator");
  const devices = plainSql("select 1 as found from pg_dist_partition where logicalrelid = to_regclass('devices')");
  return (await reader.get(devices)) !== null;
}

/**
 * Every statement is written so that it walks an index in the order of its result, from table to table. PostgreSQL
 * plans a statement once for all values that it will get, so it has to guess how many rows a window or a page has; with
 * a wrong guess, or without statistics, it read and sorted a year to show a hundred rows.
 */
export const walkIndexes = {
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_material: "off",
  // Compiling takes longer than running any of them.
  jit: "off",
} as const;
