import { z } from "zod";
import type { Schema } from "./types.ts";

/** Where JSON Schema keeps named schemas, and where OpenAPI does. */
const definitionsRoot = "#/$defs/";
const componentsRoot = "#/components/schemas/";

/** What every integer in JSON is held to anyway, and what the format int32 says by itself. */
const lowestNumbers = [Number.MIN_SAFE_INTEGER, -(2 ** 31)];
const highestNumbers = [Number.MAX_SAFE_INTEGER, 2 ** 31 - 1];

type Definitions = Readonly<Record<string, Schema>>;

/** Collects the named schemas that the responses are made of. */
export class SchemaCollection {
  readonly #byName = new Map<string, Schema>();

  /** The schema of a response, as a reference wherever it has a name. */
  add(type: z.ZodType): Schema {
    const { $schema: _, $defs = {}, ...schema } = z.toJSONSchema(type, { target: "draft-2020-12" });
    for (const [name, definition] of Object.entries($defs as Definitions)) this.#define(name, tidy(definition));
    return tidy(schema as Schema);
  }

  /** All of them, by name. */
  components(): Definitions {
    return Object.fromEntries([...this.#byName].sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  #define(name: string, schema: Schema): void {
    const known = this.#byName.get(name);
    if (known && !Bun.deepEquals(known, schema)) throw new Error(`two schemas are named ${name}`);
    this.#byName.set(name, schema);
  }
}

/** As OpenAPI 3.1 and its readers like it, without what Zod adds for itself. */
function tidy(schema: Schema): Schema {
  const { id: _, propertyNames: __, ...rest } = schema as Schema & { id?: string; propertyNames?: Schema };
  const tidied: Record<string, unknown> = { ...rest };
  if (rest.$ref) tidied.$ref = rest.$ref.replace(definitionsRoot, componentsRoot);
  if (rest.properties) tidied.properties = mapValues(rest.properties, tidy);
  if (typeof rest.items === "object") tidied.items = tidy(rest.items);
  // A record may gain a field within this version, so that a client must take what it does not know.
  if (rest.additionalProperties === false) delete tidied.additionalProperties;
  if (typeof rest.additionalProperties === "object") tidied.additionalProperties = tidy(rest.additionalProperties);
  for (const key of ["anyOf", "oneOf", "prefixItems"] as const) {
    if (rest[key]) tidied[key] = rest[key].map(tidy);
  }
  if (lowestNumbers.includes(rest.minimum ?? 0)) delete tidied.minimum;
  if (highestNumbers.includes(rest.maximum ?? 0)) delete tidied.maximum;
  return withNullableType(tidied);
}

/** `anyOf: [X, null]` as one schema of two types, where X is no reference and no choice itself. */
function withNullableType(schema: Schema): Schema {
  const { anyOf, ...outer } = schema;
  const [inner, nothing, ...others] = anyOf ?? [];
  if (typeof inner?.type !== "string" || nothing?.type !== "null" || others.length > 0) return schema;
  const values = inner.const === undefined ? inner.enum : [inner.const];
  const { const: _, ...plain } = inner;
  return { ...plain, ...outer, type: [inner.type, "null"], ...(values ? { enum: [...values, null] } : {}) };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

export function componentRef(name: string): { readonly $ref: string } {
  return { $ref: componentsRoot + name };
}
