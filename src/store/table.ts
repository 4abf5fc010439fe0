import type { Columns } from "./columns.ts";
import type { BulkTable, BulkUpdate } from "./database.ts";
import { plainSql, type Sql } from "./sql.ts";

/** What selects and bulk writes need of a table, made from the declaration of its columns. */

export interface Table<Declared = Columns> {
  readonly name: string;
  /** The columns by which a row is found again when it is written once more. */
  readonly key: readonly string[];
  readonly columns: Declared;
}

export function table<const Declared extends Columns>(
  name: string,
  key: readonly (keyof Declared & string)[],
  columns: Declared,
): Table<Declared> {
  return { name, key, columns };
}

export function pick<Declared extends Columns, Name extends keyof Declared & string>(
  columns: Declared,
  ...names: readonly Name[]
): Pick<Declared, Name> {
  return filtered(columns, (name) => (names as readonly string[]).includes(name)) as unknown as Pick<Declared, Name>;
}

export function omit<Declared extends Columns, Name extends keyof Declared & string>(
  columns: Declared,
  ...names: readonly Name[]
): Omit<Declared, Name> {
  return filtered(columns, (name) => !(names as readonly string[]).includes(name)) as unknown as Omit<Declared, Name>;
}

function filtered(columns: Columns, isWanted: (name: string) => boolean): Columns {
  return Object.fromEntries(Object.entries(columns).filter(([name]) => isWanted(name)));
}

/** The columns as a `select` names them: `r.id, r.name`. Call it once for each statement in the code, not for each query. */
export function listed(columns: Columns, alias?: string): Sql {
  const names = Object.keys(columns);
  return plainSql((alias === undefined ? names : names.map((name) => `${alias}.${name}`)).join(", "));
}

/** Inserts rows. One that is there already takes the new values, but for `unchanged` columns and those of `changes`. */
export function upsert<Declared extends Columns>(
  { name, key, columns }: Table<Declared>,
  unchanged: readonly (keyof Declared & string)[] = [],
  changes: { readonly [Name in keyof Declared]?: string } = {},
): BulkTable {
  const fixed: readonly string[] = [...key, ...unchanged];
  const replaced = Object.keys(columns)
    .filter((column) => !fixed.includes(column))
    .map((column) => `${column} = ${changes[column] ?? `excluded.${column}`}`);
  return { name, columns, onConflict: `on conflict (${key.join(", ")}) do update set ${replaced.join(", ")}` };
}

/** Changes some columns of rows that are there. */
export function bulkUpdate({ name, key, columns }: Table, changed: Columns): BulkUpdate {
  return { name, key: pick(columns, ...key), changed };
}
