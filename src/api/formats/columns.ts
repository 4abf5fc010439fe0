import { z } from "zod";
import type { ShownFields, ShownRecord } from "./format.ts";
import { everyField, isShown } from "./shown-fields.ts";

export interface FormatColumn {
  readonly name: string;
  /** Of its values, without null. */
  readonly schema: z.ZodType;
  readonly of: (record: ShownRecord) => unknown;
}

/** A column for each field of the schema that is shown, in its order, and for each name that stands beside an id. A place has one for each member: `start_latitude`. */
export function formatColumnsOf(schema: z.ZodType, shown: ShownFields = everyField): readonly FormatColumn[] {
  const record = withoutNull(schema);
  if (!(record instanceof z.ZodObject)) throw new Error("a table needs records with known fields");
  const own = Object.entries(record.shape).filter(([name]) => isShown(shown, name));
  const names = shown.names.filter((name) => !(name in record.shape));
  const fields = [...own, ...names.map((name): [string, z.ZodType] => [name, z.string()])];
  return fields.flatMap(([name, field]): FormatColumn[] => {
    const inner = withoutNull(field as z.ZodType);
    if (!(inner instanceof z.ZodObject)) return [{ name, schema: inner, of: (shown) => shown[name] }];
    const member = (shown: ShownRecord, part: string) => (shown[name] as ShownRecord | null)?.[part];
    return Object.entries(inner.shape).map(([part, partSchema]) => ({
      name: `${name}_${part}`,
      schema: withoutNull(partSchema as z.ZodType),
      of: (shown) => member(shown, part),
    }));
  });
}

function withoutNull(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodNullable ? withoutNull(schema.unwrap() as z.ZodType) : schema;
}

/** A list of texts in one cell. */
const itemSeparator = ";";

/** A value as one cell: null as nothing, a list of texts joined, any other nested value as JSON. */
export function cellOf(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "string") return value;
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === "string");
  return isTexts ? value.join(itemSeparator) : JSON.stringify(value);
}
