export type Value = string | number | boolean | null | Uint8Array;

/** A statement with its parameters separate from its text. Placeholders are `$1`, `$2`, … on both engines. */
export interface Sql {
  readonly text: string;
  readonly values: readonly Value[];
  /** If it is too long for one, or about nothing: the statements to run instead, one after the other (`listOf`). */
  readonly instead?: readonly Sql[] | null;
}

/** The text of a statement without its values. Null is the place of a value. */
interface Shape {
  readonly strings: readonly string[];
  readonly parts: readonly (Shape | null)[];
  readonly text: string;
}

class Fragment implements Sql {
  constructor(
    readonly text: string,
    readonly values: readonly Value[],
    readonly shape: Shape,
    readonly instead: readonly Sql[] | null = null,
  ) {}
}

/** What may follow in a template, part by part, and the resulting shape at the end. */
interface Branch {
  readonly next: Map<Shape | null, Branch>;
  shape: Shape | null;
}

/** The shapes of each call site. Each text is built once: building it takes as long as a short query. */
const branchOfTemplate = new WeakMap<TemplateStringsArray, Branch>();

/**
 * A statement, or a piece of one. Whatever is interpolated becomes a parameter unless it is itself a piece, so that
 * text from outside cannot become SQL.
 *
 *     const recent = sql`and recorded_at >= ${from}`;
 *     sql`select * from frames where device = ${device} ${recent}`
 */
export function sql(strings: TemplateStringsArray, ...parts: (Value | Sql)[]): Sql {
  let branch = branchOfTemplate.get(strings);
  if (!branch) {
    branch = newBranch();
    branchOfTemplate.set(strings, branch);
  }
  const values: Value[] = [];
  for (const part of parts) {
    if (part instanceof Fragment) {
      if (part.instead !== null)
        return oneOfEach(part.instead.map((one) => sql(strings, ...replaced(parts, part, one))));
      for (const value of part.values) values.push(value);
    } else values.push(part as Value);
    branch = follow(branch, part instanceof Fragment ? part.shape : null);
  }
  branch.shape ??= newShape(strings, parts);
  return new Fragment(branch.shape.text, values, branch.shape);
}

/** An empty piece, for conditions that do not apply. */
export const nothing: Sql = sql``;

/** Our own text without parameters. As a piece of a statement it must be made once, not per query. */
export function plainSql(text: string): Sql {
  return new Fragment(text, [], { strings: [text], parts: [], text });
}

const placeIn = { sqlite: plainSql("instr"), postgres: plainSql("strpos") };

/** Whether a text has another in it. With `like`, it takes SQLite five times as long. */
export function hasWithin(engine: keyof typeof placeIn, text: Sql, part: string | Sql): Sql {
  return sql`${placeIn[engine]}(${text}, ${part}) > 0`;
}

/** The sum hides the number from SQLite: for a bare value after `limit` it would plan the statement each time. */
export function limitTo(count: number): Sql {
  return sql`limit ${count} + 0`;
}

/** A piece, or a whole statement, that stands for several: each makes a statement of its own. */
export function oneOfEach(pieces: readonly Sql[]): Sql {
  const { text, values } = pieces[0] ?? nothing;
  return new Fragment(text, values, { strings: [text], parts: [], text }, pieces);
}

function replaced(parts: readonly (Value | Sql)[], one: Sql, other: Sql): (Value | Sql)[] {
  return parts.map((part) => (part === one ? other : part));
}

/** Runs a statement, or those that it stands for. Returns the rows of all. */
export async function allRows<Row>(query: Sql, run: (statement: Sql) => Promise<Row[]>): Promise<Row[]> {
  if (!query.instead) return run(query);
  const rows: Row[] = [];
  for (const one of query.instead) for (const row of await run(one)) rows.push(row);
  return rows;
}

function newBranch(): Branch {
  return { next: new Map(), shape: null };
}

function follow(branch: Branch, part: Shape | null): Branch {
  let next = branch.next.get(part);
  if (!next) {
    next = newBranch();
    branch.next.set(part, next);
  }
  return next;
}

function newShape(strings: readonly string[], given: readonly (Value | Sql)[]): Shape {
  const parts = given.map((part) => (part instanceof Fragment ? part.shape : null));
  let count = 0;
  const render = (shape: Pick<Shape, "strings" | "parts">): string =>
    shape.parts.reduce<string>(
      (text, part, index) => `${text}${part ? render(part) : `$${++count}`}${shape.strings[index + 1]}`,
      shape.strings[0] ?? "",
    );
  return { strings, parts, text: render({ strings, parts }) };
}

/** Lists are padded to one of these lengths, so that few different statements have to be prepared. */
const sizes = [1, 10, 100, 500] as const;
const largest = 500;

/** Distinct values for `id in ${listOf(ids)}`, as many as there are: each 500 make a statement, and no value makes none. */
export function listOf(values: Iterable<Value>): Sql {
  return inChunks([...new Set(values)], largest, (some) => padded(listTemplates, some));
}

/** Numbers as rows, to look each up by itself: `w.column1` of `from ${numberRows(devices)} w`, the last perhaps repeated. */
export function numberRows(numbers: Iterable<number>): Sql {
  return inChunks([...new Set(numbers)], largest, (some) => padded(rowTemplates, some));
}

/** The piece for some items. If they are more than `max`, or none, it stands for as many statements as it takes. */
export function inChunks<Item>(items: readonly Item[], max: number, pieceOf: (some: readonly Item[]) => Sql): Sql {
  if (items.length > 0 && items.length <= max) return pieceOf(items);
  const chunks = Array.from({ length: Math.ceil(items.length / max) }, (_, index) =>
    items.slice(index * max, (index + 1) * max),
  );
  return oneOfEach(chunks.map(pieceOf));
}

type Templates = ReadonlyMap<number, TemplateStringsArray>;

/** A template for each length, like the compiler's for `(${first}, ${second}, …)`. */
function templatesOf(start: string, between: string, end: string): Templates {
  return new Map(
    sizes.map((size) => {
      const strings = Array.from({ length: size + 1 }, (_, index) =>
        index === 0 ? start : index < size ? between : end,
      );
      return [size, templateOf(strings)];
    }),
  );
}

/** For a statement of many values: joining a piece for each would copy them again and again. */
export function templateOf(strings: readonly string[]): TemplateStringsArray {
  return Object.assign([...strings], { raw: strings }) as unknown as TemplateStringsArray;
}

const listTemplates = templatesOf("(", ", ", ")");
const rowTemplates = templatesOf("(values (cast(", " as bigint)), (cast(", " as bigint)))");

/** Repeating the last value changes nothing in an `in (…)`. */
function padded(templates: Templates, values: readonly Value[]): Sql {
  const size = sizes.find((candidate) => candidate >= values.length) ?? largest;
  const all = Array.from({ length: size }, (_, index) => values[Math.min(index, values.length - 1)] as Value);
  return sql(templates.get(size) as TemplateStringsArray, ...all);
}
