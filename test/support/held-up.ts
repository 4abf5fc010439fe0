import { expect } from "bun:test";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { plainSql } from "../../src/store/sql.ts";
import type { FreshDatabase } from "./engines.ts";
import { until } from "./patience.ts";
import { spawnOdograph } from "./program.ts";

interface HeldUp {
  /** Whether a writer is in the midst of such a write. */
  isReached(): Promise<boolean>;
  /** For after the kill: nothing is left of it, and everybody gets through again. */
  release(): Promise<void>;
}

/** SQLite writes pages of a transaction into its log once they fill its cache of 64 MB: so many of 1 MB each do. */
const pagesInLog = 110;
const minLogBytes = 30e6;

/** A write of the program, by which it is known; `condition` is about `new`. */
interface Write {
  readonly kind: "insert" | "update";
  readonly table: string;
  readonly condition: string;
}

/** Starts the program and kills it in the midst of the transaction of this write, however fast or slow the machine is. */
export async function killInWrite(store: FreshDatabase, args: string[], write: Write): Promise<void> {
  const held = await holdUp(store, write);
  const child = spawnOdograph(args, store);
  await until(async () => child.exitCode !== null || (await held.isReached()));
  child.kill("SIGKILL");
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  await held.release();
}

/** From now on the write never ends. */
async function holdUp({ database, directory }: FreshDatabase, { kind, table, condition }: Write): Promise<HeldUp> {
  const run = async (...statements: readonly string[]) => {
    for (const text of statements) await database.transaction((tx) => tx.run(plainSql(text)));
  };
  const trigger = `create trigger held_up before ${kind} on ${table} for each row when (${condition})`;
  if (database.engine === "sqlite") {
    await run(
      "create view numbers as with recursive n(i) as (select 1 union all select i + 1 from n) select i from n",
      `${trigger} begin
        insert into secrets select 'held up ' || i, printf('%.*c', 1000000, 'x'), 0 from numbers limit ${pagesInLog};
        select max(i) from numbers;
      end`,
    );
    return {
      isReached: async () => (await stat(join(directory, "odograph.db-wal"))).size > minLogBytes,
      async release() {
        await run("drop trigger held_up", "drop view numbers");
        await database.purge([]);
      },
    };
  }
  await run(
    "create function held_up() returns trigger language plpgsql as 'begin perform pg_sleep(3600); return new; end'",
    `${trigger} execute function held_up()`,
  );
  const held = "from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
  return {
    isReached: async () => (await database.all(plainSql(`select pid ${held}`))).length > 0,
    async release() {
      // The server does not notice by itself that its client was killed.
      await database.all(plainSql(`select pg_terminate_backend(pid) ${held}`));
      await run(`drop trigger held_up on ${table}`, "drop function held_up()");
    },
  };
}
