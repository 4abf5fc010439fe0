import type { ColumnType } from "./database.ts";

/** A table's columns are declared once: selects, bulk writes, row types and test seeds come from that. */

declare const value: unique symbol;

/** A column's SQL type; for the compiler, also the type of its values. */
export type Column<Value> = ColumnType & { readonly [value]: Value };

export type Columns = Readonly<Record<string, Column<unknown>>>;

export type RowOf<Declared> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Column<infer Value> ? Value : never;
};

export const bigint = "bigint" as Column<number>;
export const integer = "integer" as Column<number>;
export const double = "double precision" as Column<number>;
export const boolean = "boolean" as Column<number | boolean>;
export const text = "text" as Column<string>;
export const bytes = "bytea" as Column<Uint8Array>;
export const uuid = "uuid" as Column<string>;

export function oneOf<Word extends string>(): Column<Word> {
  return "text" as Column<Word>;
}

export function orNull<Value>(column: Column<Value>): Column<Value | null> {
  return column as Column<unknown> as Column<Value | null>;
}
