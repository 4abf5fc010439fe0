import type { Reader, Transaction } from "./database.ts";
import { type Sql, sql, type Value } from "./sql.ts";

/** Lists are padded to one of these lengths, so that few different statements have to be prepared. */
const sizes = [1, 10, 100, 500] as const;
const largest = 500;

/** Reads by a list of keys of any length: `allIn(reader, ids, (list) => sql`select … where id in ${list}`)`. */
export async function allIn<Result>(
  reader: Reader,
  values: Iterable<Value>,
  query: (list: Sql) => Sql,
): Promise<Result[]> {
  return inChunks(values, (chunk) => reader.all<Result>(query(padded(listTemplates, chunk))));
}

/** The same for a statement that returns nothing, and may touch any number of rows. */
export async function runIn(tx: Transaction, values: Iterable<Value>, statement: (list: Sql) => Sql): Promise<void> {
  await inChunks(values, async (chunk) => [await tx.run(statement(padded(listTemplates, chunk)), "any")]);
}

/**
 * The same for numbers as rows: `from ${rows} w` has each as `w.column1`, the last perhaps more than once. To look each up by
 * itself.
 */
export async function allOfEach<Result>(
  reader: Reader,
  numbers: Iterable<number>,
  query: (rows: Sql) => Sql,
): Promise<Result[]> {
  return inChunks(numbers, (chunk) => reader.all<Result>(query(padded(rowTemplates, chunk))));
}

async function inChunks<Item, Result>(
  values: Iterable<Item>,
  read: (chunk: readonly Item[]) => Promise<Result[]>,
): Promise<Result[]> {
  const distinct = [...new Set(values)];
  const rows: Result[] = [];
  for (let start = 0; start < distinct.length; start += largest) {
    rows.push(...(await read(distinct.slice(start, start + largest))));
  }
  return rows;
}

type Templates = ReadonlyMap<number, TemplateStringsArray>;

/** A template for each length, like the compiler's for `(${first}, ${second}, …)`. */
function templatesOf(start: string, between: string, end: string): Templates {
  return new Map(
    sizes.map((size) => {
      const strings = Array.from({ length: size + 1 }, (_, index) =>
        index === 0 ? start : index < size ? between : end,
      );
      return [size, Object.assign(strings, { raw: strings }) as unknown as TemplateStringsArray];
    }),
  );
}

const listTemplates = templatesOf("(", ", ", ")");
const rowTemplates = templatesOf("(values (cast(", " as bigint)), (cast(", " as bigint)))");

/** Repeating the last value changes nothing in an `in (…)`. */
function padded(templates: Templates, values: readonly Value[]): Sql {
  const size = sizes.find((candidate) => candidate >= values.length) ?? largest;
  const all = Array.from({ length: size }, (_, index) => values[Math.min(index, values.length - 1)] as Value);
  return sql(templates.get(size) as TemplateStringsArray, ...all);
}
