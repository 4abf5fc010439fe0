import { Database as Sqlite } from "bun:sqlite";
import { join } from "node:path";
import { SQL } from "bun";
import { postgresMigrations as ofPostgres, sqliteMigrations as ofSqlite } from "../../src/store/migrations.ts";
import type { EmptyStore } from "./engines.ts";

/** Statements on a store that no program of ours has opened. */
export interface RawStore {
  run(text: string): Promise<void>;
  all(text: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

function rawStore({ target }: EmptyStore): RawStore {
  if (target.engine === "postgres") {
    const client = new SQL(target.url, { max: 1 });
    return {
      run: async (text) => void (await client.unsafe(text)),
      all: async (text) => [...(await client.unsafe(text))],
      close: () => client.close(),
    };
  }
  const file = new Sqlite(join(target.directory, "odograph.db"), { create: true });
  return {
    run: async (text) => void file.run(text),
    all: async (text) => file.query(text).all() as Record<string, unknown>[],
    close: async () => file.close(),
  };
}

/** A store as a version left it that knew the first migrations only. */
export async function makeEarlierStore(store: EmptyStore, version: number): Promise<RawStore> {
  const raw = rawStore(store);
  await raw.run(
    "create table schema_migrations (version integer not null primary key, name text not null, applied_at bigint not null)",
  );
  const migrations = store.target.engine === "sqlite" ? ofSqlite : ofPostgres;
  for (const [index, { name, text }] of migrations.slice(0, version).entries()) {
    await raw.run(text);
    await raw.run(`insert into schema_migrations (version, name, applied_at) values (${index + 1}, '${name}', 1)`);
  }
  return raw;
}
