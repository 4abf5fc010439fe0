import { expect, test } from "bun:test";
import { analyseUnknownTables } from "../../src/store/postgres/statistics.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { until } from "../support/patience.ts";
import { isOnCluster } from "../support/postgres-databases.ts";

const rows = 5_000;

onEachEngine("statistics", (engine) => {
  // On Citus the rows are on workers, which analyse them by themselves.
  if (engine.name !== "postgres" || isOnCluster) return;

  test("of a table that was analysed while its first rows were not committed are made again", async () => {
    const { database } = await engine.fresh();
    const known = async () =>
      (
        await database.get<{ count: number }>(sql`
          select reltuples::float8 as count from pg_class where oid = 'untimely_frames'::regclass`)
      )?.count;
    await database.transaction(async (tx) => {
      await tx.run(sql`
        insert into untimely_frames (account_id, device, recorded_at, digest, received_at, content)
        select 1, n, 1, 1, 1, '' from generate_series(1, ${rows}::bigint) n`);
      await analyseUnknownTables(database);
    });
    expect(await known()).toBe(0);
    await until(async () => {
      await analyseUnknownTables(database);
      return (await known()) === rows;
    });
  });
});
