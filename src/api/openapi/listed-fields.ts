import { fieldNames, identifyingFields } from "../formats/shown-fields.ts";
import { Input } from "../input/parameter.ts";
import type { Route } from "../route.ts";
import type { OpenApiDocument, Schema } from "./types.ts";

const root = "#/components/schemas/";
const anyRequest = new Input(new Map(), new Set());

/**
 * The description for requests with `fields`, too: of the rows of a list only the keys are required. Without `fields` every field is
 * there. An answer of one record, and the records in changes, have all of them anyway and stay as they are.
 *
 * It is not the description that is served unless asked for, since `/v1` promises that a field once required stays so: for
 * everybody else each field would become optional. Optional fields are what every generator understands. A choice between the
 * whole record and a part of it would be a class of its own, with a method to look into it, in Go, Java and C#.
 */
export function withListedFields(document: OpenApiDocument, routes: readonly Route[]): OpenApiDocument {
  const schemas: Record<string, Schema> = { ...document.components.schemas };
  for (const { path, formats } of routes) {
    const answer = document.paths[path]?.get.responses[200];
    const list = answer && "content" in answer ? answer.content?.["application/json"].schema.$ref : undefined;
    if (!formats || list === undefined) continue;
    const keys = identifyingFields(fieldNames(formats.schemaOf(null)), formats.keys(anyRequest));
    const name = list.slice(root.length);
    const { properties = {} } = schemas[name] ?? {};
    const { data } = properties;
    if (typeof data?.items !== "object") continue;
    const items = listed(schemas, data.items, keys);
    schemas[name] = { ...schemas[name], properties: { ...properties, data: { ...data, items } } };
  }
  const isUsed = usedFrom({ ...document, components: { ...document.components, schemas } });
  const left = Object.entries(schemas)
    .filter(([name]) => isUsed.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(left) } };
}

/** Adds the schema of such rows, and gives the reference to it. */
function listed(schemas: Record<string, Schema>, { $ref = "" }: Schema, keys: readonly string[]): Schema {
  const name = $ref.slice(root.length);
  const schema = schemas[name] ?? {};
  const rowName = `${name}Fields`;
  if (schemas[rowName] === undefined) {
    const { oneOf, discriminator, examples: _, ...plain } = schema;
    const kinds = oneOf?.map((kind) => listed(schemas, kind, keys));
    const mapping = Object.entries(discriminator?.mapping ?? {}).map(([value, kind]) => [value, `${kind}Fields`]);
    schemas[rowName] = {
      ...plain,
      ...(plain.properties && { required: Object.keys(plain.properties).filter((field) => keys.includes(field)) }),
      ...(plain.description && { description: `${plain.description} Without \`fields\` every field is there.` }),
      ...(kinds && { oneOf: kinds }),
      ...(discriminator && { discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) } }),
    };
  }
  return { $ref: root + rowName };
}

/** The schemas that something refers to. */
function usedFrom({ paths, components }: OpenApiDocument): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "$ref" && typeof inner === "string" && inner.startsWith(root)) {
        const name = inner.slice(root.length);
        if (found.has(name)) continue;
        found.add(name);
        visit(components.schemas[name]);
      } else visit(inner);
    }
  };
  visit([paths, components.responses, components.headers]);
  return found;
}
