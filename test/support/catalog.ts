import type { Database } from "../../src/store/database.ts";
import { plainSql } from "../../src/store/sql.ts";

export interface Column {
  readonly name: string;
  readonly isNullable: boolean;
}

export interface Table {
  readonly columns: readonly Column[];
  /** In the key's order. */
  readonly primaryKey: readonly string[];
}

interface CatalogRow {
  readonly table_name: string;
  readonly column_name: string;
  readonly is_required: boolean | number;
  /** Counted from 1; 0 for a column outside of the key. */
  readonly key_place: number;
}

const catalogs = {
  sqlite: `
    select m.name as table_name, c.name as column_name, c."notnull" or c.pk > 0 as is_required, c.pk as key_place
    from sqlite_master m, pragma_table_info(m.name) c
    where m.type = 'table' and m.name not like 'sqlite_%' order by m.name, c.cid`,
  // A partition is a part of its table, not a table of its own.
  postgres: `
    select t.relname as table_name, c.attname as column_name, c.attnotnull as is_required,
      coalesce(array_position(k.conkey, c.attnum), 0) as key_place
    from pg_class t
    join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
    left join pg_constraint k on k.conrelid = t.oid and k.contype = 'p'
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
    order by t.relname, c.attnum`,
};

/** Every table as the engine's own catalog describes it. */
export async function tablesOf(database: Database): Promise<ReadonlyMap<string, Table>> {
  const rows = await database.all<CatalogRow>(plainSql(catalogs[database.engine]));
  const described = [...Map.groupBy(rows, (row) => row.table_name)].map(([name, columns]): [string, Table] => [
    name,
    {
      columns: columns.map((row) => ({ name: row.column_name, isNullable: !row.is_required })),
      primaryKey: columns
        .filter((row) => row.key_place > 0)
        .toSorted((one, other) => one.key_place - other.key_place)
        .map((row) => row.column_name),
    },
  ]);
  return new Map(described.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** All that is stored, table by table, in an order that does not depend on when it was written. */
export async function everyRow(database: Database): Promise<Readonly<Record<string, readonly string[]>>> {
  const stored: Record<string, string[]> = {};
  for (const name of (await tablesOf(database)).keys()) {
    const rows = await database.all(plainSql(`select * from ${name}`));
    stored[name] = rows.map((row) => JSON.stringify(row)).toSorted();
  }
  return stored;
}

export async function countRows(database: Database, table: string): Promise<number> {
  const row = await database.get<{ count: number }>(plainSql(`select count(*) as count from ${table}`));
  return row?.count ?? Number.NaN;
}
