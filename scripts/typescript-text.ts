// Writes the schemas of the description as types of TypeScript, formatted as the formatter would.
import type { Schema } from "../src/api/openapi/types.ts";

const lineWidth = 120;

export function interfaceText(name: string, description: string | undefined, fields: readonly string[]): string {
  return `${commentText(description, "")}export interface ${name} {\n${fields.join("")}}\n`;
}

export function fieldText(name: string, type: string, description: string | undefined): string {
  const line = `  ${name}: ${type};`;
  const lines = line.length <= lineWidth ? line : `  ${name}:\n    | ${type.replaceAll(" | ", "\n    | ")};`;
  return `${commentText(description, "  ")}${lines}\n`;
}

export function aliasText(name: string, schema: Schema): string {
  const type = typeOf(schema);
  const line = `export type ${name} = ${type};`;
  const lines = line.length <= lineWidth ? line : `export type ${name} =\n  | ${type.replaceAll(" | ", "\n  | ")};`;
  return `${commentText(schema.description, "")}${lines}\n`;
}

function commentText(description: string | undefined, indent: string): string {
  return description ? `${indent}/** ${description} */\n` : "";
}

export function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.replace(/^.*\//, "");
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return union(options.map(typeOf));
  if (Array.isArray(schema.type)) return union(schema.type.map((type: string) => typeOf({ ...schema, type })));
  switch (schema.type) {
    case "integer":
      return "number";
    case "array":
      return `${typeof schema.items === "object" ? typeOf(schema.items) : "unknown"}[]`;
    case "object":
      return `Record<string, ${typeof schema.additionalProperties === "object" ? typeOf(schema.additionalProperties) : "unknown"}>`;
    case "string":
    case "number":
    case "boolean":
    case "null":
      return schema.type;
    default:
      return "unknown";
  }
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}
