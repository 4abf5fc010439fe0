import type { Columns } from "./columns.ts";
import type { BulkTable, BulkUpdate } from "./database.ts";
import { plainSql, type Sql } from "./sql.ts";

/** What selects and bulk writes need from a table, made from the declaration of its columns. */

export interface Table<Declared = Columns> {
  readonly name: string;
  /** The columns that identify a row when it is written again. */
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

/** The columns as a `select` names them: `r.id, r.name`. Call it once per statement in the code, not per query. */
export function listed(columns: Columns, alias?: string): Sql {
  const names = Object.keys(columns);
  return plainSql((alias === undefined ? names : names.map((name) => `${alias}.${name}`)).join(", "));
}

/** Inserts rows. An existing row gets the new values, except for `unchanged` columns and those in `changes`. */
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

export function bulkUpdate({ name, key, columns }: Table, changed: Columns): BulkUpdate {
  return { name, key: pick(columns, ...key), changed };
}

/** New rows, with the time. An upsert leaves the first `created_at` unchanged. */
export function stamped<Row>(rows: readonly Row[], now: number): (Row & { created_at: number; updated_at: number })[] {
  return rows.map((row) => ({ ...row, created_at: now, updated_at: now }));
}
