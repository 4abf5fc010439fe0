import type { Reader } from "./database.ts";
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
  const distinct = [...new Set(values)];
  const rows: Result[] = [];
  for (let start = 0; start < distinct.length; start += largest) {
    rows.push(...(await reader.all<Result>(query(list(distinct.slice(start, start + largest))))));
  }
  return rows;
}

/** A template for each length, like the compiler's for `(${first}, ${second}, …)`. */
const templates = new Map(
  sizes.map((size) => {
    const strings = Array.from({ length: size + 1 }, (_, index) => (index === 0 ? "(" : index < size ? ", " : ")"));
    return [size, Object.assign(strings, { raw: strings }) as unknown as TemplateStringsArray];
  }),
);

function list(values: readonly Value[]): Sql {
  const size = sizes.find((candidate) => candidate >= values.length) ?? largest;
  // Repeating the last value changes nothing in an `in (…)`.
  const padded = Array.from({ length: size }, (_, index) => values[Math.min(index, values.length - 1)] as Value);
  return sql(templates.get(size) as TemplateStringsArray, ...padded);
}
