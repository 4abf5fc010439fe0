/** What may stand in a statement's parameter list, on both engines. */
export type Value = string | number | boolean | null | Uint8Array;

/** A statement with its parameters apart from its text. Placeholders are `$1`, `$2`, … on both engines. */
export interface Sql {
  readonly text: string;
  readonly values: readonly Value[];
}

class Fragment implements Sql {
  constructor(
    readonly text: string,
    readonly values: readonly Value[],
    readonly strings: readonly string[],
    readonly parts: readonly (Value | Fragment)[],
  ) {}
}

/** A template without nested fragments renders to the same text every time, so its text is kept by its call site. */
const textOfTemplate = new WeakMap<TemplateStringsArray, string>();

/**
 * A statement, or a piece of one. Whatever is interpolated becomes a parameter unless it is itself a piece, so that
 * text from outside cannot become SQL.
 *
 *     const recent = sql`and recorded_at >= ${from}`;
 *     sql`select * from frames where device = ${device} ${recent}`
 */
export function sql(strings: TemplateStringsArray, ...parts: (Value | Sql)[]): Sql {
  if (!parts.some((part) => part instanceof Fragment)) {
    let text = textOfTemplate.get(strings);
    if (text === undefined) {
      text = strings.reduce((left, right, index) => `${left}$${index}${right}`);
      textOfTemplate.set(strings, text);
    }
    return new Fragment(text, parts as Value[], strings, parts as Value[]);
  }
  const values: Value[] = [];
  const text = render(strings, parts as (Value | Fragment)[], values);
  return new Fragment(text, values, strings, parts as (Value | Fragment)[]);
}

/** A piece that adds nothing: for conditions that do not apply. */
export const nothing: Sql = sql``;

/** Statement text from a file of ours (a migration), without parameters. */
export function plainSql(text: string): Sql {
  return new Fragment(text, [], [text], []);
}

function render(strings: readonly string[], parts: readonly (Value | Fragment)[], values: Value[]): string {
  let text = strings[0] ?? "";
  for (const [index, part] of parts.entries()) {
    if (part instanceof Fragment) text += render(part.strings, part.parts, values);
    else text += `$${values.push(part)}`;
    text += strings[index + 1];
  }
  return text;
}
