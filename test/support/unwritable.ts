import type { Database } from "../../src/store/database.ts";
import { plainSql } from "../../src/store/sql.ts";

/**
 * Makes every write to the tables fail for as long as the work takes, on PostgreSQL with that SQLSTATE: what a full disk
 * does, while reading goes on.
 */
export async function withUnwritable(
  database: Database,
  tables: readonly string[],
  state: string,
  work: () => Promise<void>,
): Promise<void> {
  const run = async (statements: readonly string[]) => {
    for (const text of statements) {
      await database.transaction(async (tx) => {
        if (database.isDistributed) await tx.run(plainSql("set local citus.enable_unsafe_triggers = on"));
        await tx.run(plainSql(text));
      });
    }
  };
  const events = ["insert", "update", "delete"];
  const [begin, end] =
    database.engine === "sqlite"
      ? [
          tables.flatMap((table) =>
            events.map(
              (event) =>
                `create trigger ${table}_${event}_fails before ${event} on ${table} begin select raise(abort, 'full'); end`,
            ),
          ),
          tables.flatMap((table) => events.map((event) => `drop trigger ${table}_${event}_fails`)),
        ]
      : [
          [
            `create function fails() returns trigger language plpgsql as
              'begin raise exception using errcode = ''${state}'', message = ''could not extend file''; end'`,
            ...tables.map(
              (table) =>
                `create trigger fails before insert or update or delete on ${table} for each statement execute function fails()`,
            ),
          ],
          [...tables.map((table) => `drop trigger fails on ${table}`), "drop function fails()"],
        ];
  await run(begin);
  try {
    await work();
  } finally {
    await run(end);
  }
}
