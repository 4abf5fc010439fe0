import type { Reader, Transaction } from "./database.ts";
import { knownMigrations, lastVersion } from "./migrations.ts";
import { requireKnownVersion, requireReadable } from "./readable.ts";
import { plainSql, sql } from "./sql.ts";

export interface SchemaTransaction extends Transaction {
  script(text: string): Promise<void>;
}

/** Whether the schema must be brought up to date. Refuses a store that this program cannot read, before anything is changed. */
export async function needsMigration(reader: Reader): Promise<boolean> {
  const version = await schemaVersion(reader);
  await requireReadable(reader, version, { name: "the database", isBackup: false });
  return version < lastVersion;
}

/** Brings the schema up to date, in the caller's transaction. A second node that starts meanwhile waits for the lock. */
export async function migrate(tx: SchemaTransaction, now: number): Promise<number> {
  await tx.lock("migrations");
  await tx.script(
    "create table if not exists schema_migrations (version integer not null primary key, name text not null, applied_at bigint not null)",
  );
  const reached = await schemaVersion(tx);
  // Another node may be of a newer version, and was first.
  if (reached > 0) requireKnownVersion(reached, { name: "the database", isBackup: false });
  const missing = knownMigrations[tx.engine].filter(({ version }) => version > reached);
  for (const { version, name, text } of missing) {
    await tx.script(text);
    await tx.write(sql`insert into schema_migrations (version, name, applied_at) values (${version}, ${name}, ${now})`);
  }
  return missing.length;
}

/** 0: there is no schema yet. */
async function schemaVersion(reader: Reader): Promise<number> {
  const table = await reader.get(
    reader.engine === "sqlite"
      ? plainSql("select 1 as there from sqlite_master where name = 'schema_migrations'")
      : plainSql("select 1 as there where to_regclass('schema_migrations') is not null"),
  );
  if (table === null) return 0;
  const row = await reader.get<{ version: number | null }>(
    plainSql("select max(version) as version from schema_migrations"),
  );
  return row?.version ?? 0;
}
