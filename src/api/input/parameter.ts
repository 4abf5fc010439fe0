import { isUuid } from "../../domain/text/identifiers.ts";

/** The part of JSON Schema that parameters need. */
export interface ParameterSchema {
  readonly type: "string" | "integer" | "number" | "boolean";
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: string | number | boolean;
}

export interface Parameter<T> {
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: ParameterSchema;
  readonly example: string | number | boolean;
  /** The message for a wrong value: `limit: expected …`. */
  readonly expected: string;
  /** Several values, separated by commas. A model may also give them as a list. */
  readonly isCommaList?: true;
  /** In cursors only if a request names it: those of requests without it are as they were before there was such a filter. */
  readonly isInCursorIfGiven?: true;
  /** It still works; another way is better. */
  readonly isDeprecated?: true;
  /** An empty value is wrong unless it may mean an absent one. */
  readonly emptyIsAbsent: boolean;
  /** Undefined: not what was expected. */
  readonly read: (text: string) => T | undefined;
}

/** The values of one request, by the parameter that describes them. */
export class Input {
  readonly #values: ReadonlyMap<Parameter<unknown>, unknown>;
  readonly #wrong: ReadonlySet<Parameter<unknown>>;

  constructor(values: ReadonlyMap<Parameter<unknown>, unknown>, wrong: ReadonlySet<Parameter<unknown>>) {
    this.#values = values;
    this.#wrong = wrong;
  }

  /** Null if the request does not name it. */
  get<T>(parameter: Parameter<T>): T | null {
    return (this.#values.get(parameter) as T | undefined) ?? null;
  }

  /** The same with other values of some parameters. */
  with(values: ReadonlyMap<Parameter<unknown>, unknown>): Input {
    return new Input(new Map([...this.#values, ...values]), this.#wrong);
  }

  /** Whether the request names it, valid or not. */
  names(parameter: Parameter<unknown>): boolean {
    return this.#values.has(parameter) || this.#wrong.has(parameter);
  }
}

/** What most parameters of a query have in common. */
export const query = { in: "query", required: false, emptyIsAbsent: false } as const;

export function wholeNumber(declared: {
  readonly name: string;
  readonly description: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly default?: number;
  readonly example: number;
}): Parameter<number> {
  const { name, description, minimum, maximum, example } = declared;
  return {
    ...query,
    name,
    description,
    schema: { type: "integer", minimum, maximum, ...(declared.default !== undefined && { default: declared.default }) },
    example,
    expected: `a whole number from ${minimum} to ${maximum}`,
    read(text) {
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      return value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

export function uuidParameter(name: string, description: string, example: string): Parameter<string> {
  return {
    ...query,
    name,
    description,
    schema: { type: "string", format: "uuid" },
    example,
    expected: "a UUID",
    read: (text) => (isUuid(text) ? text.toLowerCase() : undefined),
  };
}

export function choiceParameter<Value extends string>(
  name: string,
  values: readonly Value[],
  description: string,
  example: Value,
  usual?: Value,
): Parameter<Value> {
  const read = (text: string) => values.find((value) => value === text);
  const schema = { type: "string", enum: values, ...(usual !== undefined && { default: usual }) } as const;
  return { ...query, name, description, schema, example, expected: `one of ${values.join(", ")}`, read };
}

/** Names and plates have at most this many characters, alert types far fewer. */
export const maxTextLength = 200;

export const shortText = {
  ...query,
  schema: { type: "string", minLength: 1, maxLength: maxTextLength },
  expected: `1 to ${maxTextLength} characters`,
  read: readShortText,
} as const;

/** Any text that is short enough. A text that no record can have, such as a control character, finds nothing. */
export function readShortText(text: string): string | undefined {
  // Counted as the description counts: by characters, not by UTF-16 halves.
  return text.length <= maxTextLength || [...text].length <= maxTextLength ? text : undefined;
}
