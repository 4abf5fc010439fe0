import type { OpenApiDocument, Schema } from "../openapi/types.ts";
import { type Fragment, html, joinedHtml } from "./html.ts";

/** Units are the last part of a name. */
const unitBySuffix: Readonly<Record<string, string>> = {
  kmh: "km/h",
  km: "km",
  m: "m",
  s: "s",
  deg: "°",
  percent: "%",
  v: "V",
  l: "L",
  c: "°C",
  kpa: "kPa",
};

const wordByFormat: Readonly<Record<string, string>> = {
  uuid: "UUID",
  "date-time": "time",
  date: "date",
  email: "e-mail address",
};

function unitOf(name: string): string | null {
  const suffix = /_([a-z]+)$/.exec(name)?.[1] ?? "";
  return Object.hasOwn(unitBySuffix, suffix) ? (unitBySuffix[suffix] ?? null) : null;
}

/** Resolves a reference. Its own description stays. */
export function resolve(schema: Schema, document: OpenApiDocument): Schema {
  if (!schema.$ref) return schema;
  const { $ref, ...beside } = schema;
  const target = document.components.schemas[$ref.slice("#/components/schemas/".length)];
  if (!target) throw new Error(`${$ref} leads nowhere`);
  return { ...resolve(target, document), ...beside };
}

/** Without the null of `anyOf: [X, null]`, and whether there was one. */
export function withoutNull(schema: Schema, document: OpenApiDocument): { schema: Schema; isNullable: boolean } {
  const [inner, nothing] = schema.anyOf ?? [];
  if (inner && nothing?.type === "null") {
    const { anyOf: _, ...outer } = schema;
    return { schema: { ...resolve(inner, document), ...outer }, isNullable: true };
  }
  const resolved = resolve(schema, document);
  const types = typeof resolved.type === "string" ? [resolved.type] : (resolved.type ?? []);
  const others = types.filter((type) => type !== "null");
  if (others.length === 0 || others.length === types.length) return { schema: resolved, isNullable: false };
  const values = resolved.enum ? { enum: resolved.enum.filter((value) => value !== null) } : {};
  return { schema: { ...resolved, type: others[0] ?? "null", ...values }, isNullable: true };
}

/** The type of a value in words: `integer, 1 to 500, default 100`. */
export function describeType(schema: Schema, document: OpenApiDocument, name = ""): Fragment {
  const { schema: plain, isNullable } = withoutNull(schema, document);
  const parts: Fragment[] = [kindOf(plain, document)];
  const unit = unitOf(name);
  if (unit) parts.push(unit);
  const range = rangeOf(plain);
  if (range) parts.push(range);
  if (plain.default !== undefined) parts.push(["default ", html`<code>${String(plain.default)}</code>`]);
  return [joinedHtml(parts, ", "), isNullable ? ", or null" : null];
}

function kindOf(schema: Schema, document: OpenApiDocument): Fragment {
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) return joinedHtml(schema.enum.map(valueText), " or ");
  if (schema.oneOf || schema.properties || schema.additionalProperties) return "object";
  if (schema.type === "array") return ["array of ", elementsOf(schema, document)];
  return (schema.format && wordByFormat[schema.format]) || (schema.type as string | undefined) || "anything";
}

function valueText(value: unknown): Fragment {
  return html`<code>${typeof value === "string" ? value : JSON.stringify(value)}</code>`;
}

/** The elements of an array in the plural, with their number if it is fixed. */
function elementsOf(schema: Schema, document: OpenApiDocument): Fragment {
  const element = typeof schema.items === "object" ? withoutNull(schema.items, document).schema : {};
  const count = schema.minItems !== undefined && schema.minItems === schema.maxItems ? `${schema.minItems} ` : "";
  if (element.type === "array") return [count, "arrays of ", elementsOf(element, document)];
  return [count, kindOf(element, document), "s"];
}

function rangeOf({ minimum, maximum, maxLength }: Schema): string | null {
  if (minimum !== undefined && maximum !== undefined) return `${number(minimum)} to ${number(maximum)}`;
  if (minimum !== undefined) return `at least ${number(minimum)}`;
  if (maximum !== undefined) return `at most ${number(maximum)}`;
  return maxLength === undefined ? null : `at most ${maxLength} characters`;
}

function number(value: number): string {
  return String(value)
    .replace("-", "−")
    .replace(/\B(?=(?:\d{3})+$)/g, Math.abs(value) < 10_000 ? "" : ",");
}
