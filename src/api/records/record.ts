import { z } from "zod";

/** A field of a record: its description, and how it is made from a row. */
export interface RecordField<Row> {
  readonly schema: z.ZodType;
  readonly of: (row: Row) => unknown;
  /** Whether `of` returns JSON as text. */
  readonly isJson: boolean;
}

/** In the order in which a record shows them. */
export type RecordFields<Row> = Readonly<Record<string, RecordField<Row>>>;

/** A record that the API shows. Its fields are declared once: answers, description and examples are all made from them. */
export interface ApiRecord<Row> {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly exampleRow: Row;
  /** What `exampleRow` is shown as. */
  readonly example: unknown;
  /** The records of these rows as JSON, with commas between them. */
  readonly json: (rows: readonly Row[]) => string;
}

interface DeclaredRecord<Row> extends ApiRecord<Row> {
  readonly schema: z.ZodObject;
  readonly present: (row: Row) => Record<string, unknown>;
}

export function field<Row, Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  of: (row: Row) => Readonly<z.output<Schema>>,
  examples?: readonly unknown[],
): RecordField<Row> {
  return { schema: schema.meta({ description, ...(examples && { examples }) }), of, isJson: false };
}

/** A field that is stored as JSON and may be large: parsing and writing it again takes thirty times as long. */
export function jsonField<Row>(schema: z.ZodType, description: string, of: (row: Row) => string): RecordField<Row> {
  return { schema: schema.describe(description), of, isJson: true };
}

export function apiRecord<Row>(declared: {
  readonly name: string;
  readonly description: string;
  readonly fields: RecordFields<Row>;
  readonly exampleRow: Row;
}): DeclaredRecord<Row> {
  const { fields, ...described } = declared;
  const written = writtenRecord({ ...described, shape: schemasOf(fields), json: jsonOf(fields) });
  return { ...written, present: presenter(fields) };
}

/** A record whose JSON is made elsewhere, where that must be fast. */
export function writtenRecord<Row>(declared: {
  readonly name: string;
  readonly description: string;
  readonly shape: Readonly<Record<string, z.ZodType>>;
  readonly exampleRow: Row;
  readonly json: ApiRecord<Row>["json"];
}): ApiRecord<Row> & { readonly schema: z.ZodObject } {
  const { name, description, shape, exampleRow, json } = declared;
  const example: unknown = JSON.parse(json([exampleRow]));
  const schema = z.strictObject(shape).meta({ id: name, description, examples: [example] });
  return { name, schema, exampleRow, example, json };
}

export function schemasOf<Row>(fields: RecordFields<Row>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
}

/** Writes rows as JSON objects with these fields, with commas between them. */
export function jsonOf<Row>(fields: RecordFields<Row>): (rows: readonly Row[]) => string {
  const all = Object.entries(fields);
  if (!all.some(([, { isJson }]) => isJson)) {
    const present = presenter(fields);
    return (rows) => JSON.stringify(rows.map(present)).slice(1, -1);
  }
  const textOf = (row: Row) =>
    all.map(([name, { of, isJson }]) => `"${name}":${isJson ? of(row) : JSON.stringify(of(row))}`).join(",");
  return (rows) => rows.map((row) => `{${textOf(row)}}`).join(",");
}

export function presenter<Row>(fields: RecordFields<Row>): (row: Row) => Record<string, unknown> {
  const all = Object.entries(fields).map(([name, { of }]) => ({ name, of }));
  return (row) => {
    const record: Record<string, unknown> = {};
    for (const { name, of } of all) record[name] = of(row);
    return record;
  };
}
