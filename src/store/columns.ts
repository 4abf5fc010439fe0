import type { BulkTable, BulkUpdate, ColumnType } from "./database.ts";
import { plainSql, type Sql } from "./sql.ts";

/** A table's columns are declared once: selects, bulk writes, types of rows and the seeds of tests come from that. */

declare const value: unique symbol;

/** A column's SQL type, which also tells the compiler what a query returns for it. */
export type Column<Value> = ColumnType & { readonly [value]: Value };

export type Columns = Readonly<Record<string, Column<unknown>>>;

export type RowOf<Declared> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Column<infer Value> ? Value : never;
};

export interface Table<Declared = Columns> {
  readonly name: string;
  /** The columns by which a row is found again when it is written once more. */
  readonly key: readonly string[];
  readonly columns: Declared;
}

export const bigint = "bigint" as Column<number>;
export const integer = "integer" as Column<number>;
export const double = "double precision" as Column<number>;
export const boolean = "boolean" as Column<number | boolean>;
export const text = "text" as Column<string>;
export const uuid = "uuid" as Column<string>;

/** A text that is one of some words. */
export function oneOf<Word extends string>(): Column<Word> {
  return "text" as Column<Word>;
}

export function orNull<Value>(column: Column<Value>): Column<Value | null> {
  return column as Column<unknown> as Column<Value | null>;
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
