import { Failure } from "../domain/errors.ts";
import type { Reader, Transaction } from "./database.ts";
import { refuseEarlierForms, requireKnownForms, whatToDo } from "./forms.ts";
import { plainSql, sql } from "./sql.ts";

export interface Migration {
  readonly name: string;
  readonly text: string;
}

export interface SchemaTransaction extends Transaction {
  script(text: string): Promise<void>;
}

/** Brings the schema up to date, in the caller's transaction. A second node that starts meanwhile waits for the lock. */
export async function migrate(tx: SchemaTransaction, migrations: readonly Migration[], now: number): Promise<number> {
  await tx.lock("migrations");
  await tx.script(
    "create table if not exists schema_migrations (version integer not null primary key, name text not null, applied_at bigint not null)",
  );
  const version = await schemaVersion(tx);
  if (version > migrations.length) throw tooNew("the database", version, migrations.length);
  await refuseUnreadable(tx, version);
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue;
    await tx.script(migration.text);
    await tx.write(
      sql`insert into schema_migrations (version, name, applied_at) values (${index + 1}, ${migration.name}, ${now})`,
    );
  }
  return migrations.length - version;
}

async function schemaVersion(tx: Transaction): Promise<number> {
  const row = await tx.get<{ version: number }>(
    plainSql("select coalesce(max(version), 0) as version from schema_migrations"),
  );
  return row?.version ?? 0;
}

/** Called before anything is changed: what cannot be read is left to the program that wrote it. */
export async function refuseUnreadable(reader: Reader, version: number): Promise<void> {
  if (version === 0) return;
  if (await hasNumberedForms(reader)) await requireKnownForms(reader);
  else await refuseEarlierForms(reader);
}

async function hasNumberedForms(reader: Reader): Promise<boolean> {
  const table = await reader.get(
    reader.engine === "sqlite"
      ? sql`select 1 as there from sqlite_master where name = 'store_forms'`
      : sql`select 1 as there where to_regclass('store_forms') is not null`,
  );
  return table !== null;
}

export function tooNew(store: string, version: number, known: number): Failure {
  const message = `${store} has schema version ${version}, this program knows only up to ${known}: ${whatToDo}`;
  return new Failure("STORE_TOO_NEW", message);
}
