import type { Reader } from "../database.ts";
import { sql } from "../sql.ts";

export async function hasTable(reader: Reader, name: string): Promise<boolean> {
  const table = await reader.get(
    reader.engine === "sqlite"
      ? sql`select 1 as there from sqlite_master where type = 'table' and name = ${name}`
      : // The name alone may be remembered from before another node dropped the table; the row is not.
        sql`select 1 as there from pg_class where oid = to_regclass(${name})`,
  );
  return table !== null;
}
