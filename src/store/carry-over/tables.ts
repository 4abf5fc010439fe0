import type { Reader } from "../database.ts";
import { sql } from "../sql.ts";

export async function hasTable(reader: Reader, name: string): Promise<boolean> {
  const table = await reader.get(
    reader.engine === "sqlite"
      ? sql`select 1 as there from sqlite_master where type = 'table' and name = ${name}`
      : sql`select 1 as there where to_regclass(${name}) is not null`,
  );
  return table !== null;
}
