import type { Database } from "../../src/store/database.ts";
import { plainSql, sql } from "../../src/store/sql.ts";

interface StoredIndex {
  readonly name: string;
  readonly definition: string;
}

interface Statistics {
  readonly tbl: string;
  readonly idx: string;
  readonly stat: string;
}

const ownIndexes = {
  sqlite: "select name, sql as definition from sqlite_master where type = 'index' and sql is not null and tbl_name",
  postgres: `select indexname as name, indexdef as definition from pg_indexes
    where indexname not in (select conname from pg_constraint) and tablename`,
};

/** Runs a statement that may take longer than a server lets its own take. */
export type RunStatement = (statement: string) => Promise<unknown>;

/** Fills tables without their indexes, which are made afterwards: a million rows take seconds instead of minutes. */
export async function withoutIndexes(
  database: Database,
  run: RunStatement,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const names = `(${tables.map((name) => `'${name}'`).join(", ")})`;
  const indexes = await database.all<StoredIndex>(plainSql(`${ownIndexes[database.engine]} in ${names}`));
  // SQLite forgets with an index what migrations said about it.
  const statistics =
    database.engine === "sqlite"
      ? await database.all<Statistics>(plainSql(`select tbl, idx, stat from sqlite_stat1 where tbl in ${names}`))
      : [];
  for (const { name } of indexes) await run(`drop index ${name}`);
  await fill();
  for (const { definition } of indexes) await run(definition);
  if (database.engine === "postgres") return;
  await database.transaction(async (tx) => {
    await tx.run(plainSql(`delete from sqlite_stat1 where tbl in ${names}`));
    for (const { tbl, idx, stat } of statistics) {
      await tx.write(sql`insert into sqlite_stat1 (tbl, idx, stat) values (${tbl}, ${idx}, ${stat})`);
    }
  });
}
