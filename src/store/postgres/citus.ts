import { Failure } from "../../domain/errors.ts";
import type { Reader } from "../database.ts";
import { plainSql, sql } from "../sql.ts";

/** Held while a store is being spread: whoever opens it meanwhile would take it for one that is not. */
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
