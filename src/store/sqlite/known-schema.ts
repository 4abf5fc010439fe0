import { Failure } from "../../domain/errors.ts";
import { plainSql } from "../sql.ts";
import type { SqliteConnection } from "./connection.ts";

/** The schema version of a file. Refuses one that is not our store. */
export function requireOurSchema(connection: SqliteConnection, path: string): number {
  const table = plainSql("select 1 as there from sqlite_master where name = 'schema_migrations'");
  if (!connection.get(table)) {
    throw new Failure("STORE_CORRUPT", `the database ${path} is not one of Odograph's`);
  }
  const newest = plainSql("select max(version) as version from schema_migrations");
  return connection.get<{ version: number | null }>(newest)?.version ?? 0;
}
