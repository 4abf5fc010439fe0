import type { z } from "zod";
import { Failure } from "../domain/errors.ts";
import { isUuid } from "../domain/text/identifiers.ts";
import { invalidFields, noSuch } from "./refusals.ts";
import type { SentBody } from "./route.ts";

/** The id that the path names. */
export function readId({ values }: { readonly values: readonly string[] }, noun: string): string {
  const id = (values[0] ?? "").toLowerCase();
  if (!isUuid(id)) throw noSuch(noun);
  return id;
}

/**
 * The content of the body, or everything that is wrong with it. Ignores unknown fields. What the contract says is sent must be
 * something that the schema takes.
 */
export function readCheckedBody<Sent extends Given<Schema>, Schema extends z.ZodType>(
  { body }: { readonly body: SentBody<Sent> },
  schema: Schema,
): z.output<Schema> {
  return readFields(jsonOf(body), schema);
}

/** What a schema takes; it changes nothing of it. */
type Given<Schema extends z.ZodType> = Unchanged<z.input<Schema>>;
type Unchanged<Value> = Value extends object ? { readonly [Key in keyof Value]: Unchanged<Value[Key]> } : Value;

/** The same for the parameters of a query. */
export function readQuery<Schema extends z.ZodType>(query: string, schema: Schema): z.output<Schema> {
  return readFields(Object.fromEntries(new URLSearchParams(query)), schema);
}

/** The same for fields that were read from elsewhere. */
export function readFields<Schema extends z.ZodType>(value: unknown, schema: Schema): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const fields: Record<string, string> = {};
  for (const { path, message } of error.issues) {
    const name = String(path[0] ?? "the body");
    fields[name] ??= path.length === 0 ? "expected an object" : message;
  }
  throw invalidFields(fields);
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new Failure("INVALID_REQUEST", "the body: expected JSON");
  }
}
