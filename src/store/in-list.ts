import { oneOfEach, type Sql, sql, type Value } from "./sql.ts";

/** Lists are padded to one of these lengths, so that few different statements have to be prepared. */
const sizes = [1, 10, 100, 500] as const;
const largest = 500;

/** Distinct values for `id in ${listOf(ids)}`, as many as there are: each 500 make a statement, and no value makes none. */
export function listOf(values: Iterable<Value>): Sql {
  return inChunks(listTemplates, values);
}

/** Numbers as rows, to look each up by itself: `w.column1` of `from ${numberRows(devices)} w`, the last perhaps repeated. */
export function numberRows(numbers: Iterable<number>): Sql {
  return inChunks(rowTemplates, numbers);
}

function inChunks(templates: Templates, values: Iterable<Value>): Sql {
  const distinct = [...new Set(values)];
  if (distinct.length > 0 && distinct.length <= largest) return padded(templates, distinct);
  const chunks = Array.from({ length: Math.ceil(distinct.length / largest) }, (_, index) =>
    distinct.slice(index * largest, (index + 1) * largest),
  );
  return oneOfEach(chunks.map((chunk) => padded(templates, chunk)));
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
