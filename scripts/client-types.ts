import { fileURLToPath } from "node:url";
import { openApiDocument } from "../src/api/openapi/document.ts";
import type { OpenApiDocument, Operation, ParameterObject, Schema } from "../src/api/openapi/types.ts";
import { aliasText, fieldText, interfaceText, typeOf } from "./typescript-text.ts";

// Writes the types of the client from the description: `bun scripts/client-types.ts`. A test compares.

const folder = fileURLToPath(new URL("../client/src/types", import.meta.url));
const head = "// Made from the description by scripts/client-types.ts: change the description instead.\n";

/** The client has its own words for envelopes and changes. */
const isLeftOut = (name: string) => /(?:List|Answer|Change)$/.test(name) && name !== "ErrorAnswer";
/** It reads a fleet, and nothing of the service itself. */
const isWanted = ({ name }: { readonly name: string }) => name !== "Service";

/**
 * The files of types, by their path: one for each group of operations, with what these take and give. What several groups
 * use is in the first of them, so that imports point one way.
 */
export function clientTypes(): Readonly<Record<string, string>> {
  const document = openApiDocument();
  const fileByType = new Map<string, string>();
  // Changes are of every record, and the records belong to the groups that list them.
  const isOfChanges = ({ name }: { readonly name: string }) => name === "Changes";
  const tags = document.tags
    .filter(isWanted)
    .sort((one, other) => Number(isOfChanges(one)) - Number(isOfChanges(other)));
  const files = tags.map(({ name: tag }): [string, string] => {
    const file = tag.toLowerCase();
    const operations = Object.values(document.paths).flatMap(({ get }) => (get.tags.includes(tag) ? [get] : []));
    const names = namesUsed(document, operations).filter((name) => !fileByType.has(name));
    for (const name of names) fileByType.set(name, file);
    const records = names.filter((name) => !isLeftOut(name)).map((name) => recordText(document, name));
    const body = [...operations.flatMap(queryText), ...records].join("\n");
    return [`${folder}/${file}.ts`, [head, importsText(body, file, fileByType), body].filter(Boolean).join("\n")];
  });
  return Object.fromEntries([...files, [`${folder}/index.ts`, indexText(files.map(([path]) => path))]]);
}

/** The schemas that the operations' parameters and answers are made of, the outer ones first. */
function namesUsed({ components }: OpenApiDocument, operations: readonly Operation[]): string[] {
  const found = new Set<string>();
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (/^(?:examples?|mapping|application\/geo\+json)$/.test(key)) continue;
      const [, kind, name = ""] = /^#\/components\/(\w+)\/(.+)$/.exec(key === "$ref" ? String(inner) : "") ?? [];
      if (kind === "responses") visit(components.responses[name]);
      if (kind === "schemas" && !found.has(name)) {
        found.add(name);
        visit(components.schemas[name]);
      }
      visit(inner);
    }
  };
  for (const { parameters = [], responses } of operations) visit([parameters.filter(isWantedParameter), responses]);
  return [...found];
}

function recordText({ components }: OpenApiDocument, name: string): string {
  const schema: Schema = components.schemas[name] ?? {};
  if (!schema.properties) return aliasText(name, schema);
  const fields = Object.entries(schema.properties).map(([key, property]) =>
    fieldText(schema.required?.includes(key) ? key : `${key}?`, typeOf(property), property.description),
  );
  return interfaceText(name, schema.description, fields);
}

/** Pages are the client's own business, but for how large they are. It reads JSON, so what chooses or shapes other formats is left out. */
const isWantedParameter = ({ name, deprecated }: ParameterObject) =>
  !deprecated && !["cursor", "format", "geometry"].includes(name);

/** What may be asked for. */
function queryText({ operationId, summary, parameters = [] }: Operation): string[] {
  const fields = parameters
    .filter((parameter) => parameter.in === "query" && isWantedParameter(parameter))
    .map(({ name, description, schema, required }) => {
      const isSwitch = String(schema.enum) === "true,false";
      const type = schema.format === "date-time" ? "Time" : isSwitch ? "boolean" : typeOf(schema);
      if (required) return fieldText(name, type, description);
      // Absent and undefined are the same here, but strict settings of an integrator tell them apart.
      return fieldText(`${name}?`, `${type} | undefined`, description);
    });
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
  return fields.length === 0 ? [] : [interfaceText(name, `${summary}: what may be asked for.`, fields)];
}

function importsText(body: string, file: string, fileByType: ReadonlyMap<string, string>): string {
  const words = new Set(body.replace(/\/\*\*.*\*\//g, "").match(/\b[A-Z]\w+\b/g));
  const namesByFile = new Map<string, string[]>();
  if (words.has("Time")) namesByFile.set("../time.ts", ["Time"]);
  for (const [name, from] of fileByType) {
    const path = `./${from}.ts`;
    if (from !== file && words.has(name)) namesByFile.set(path, [...(namesByFile.get(path) ?? []), name].sort());
  }
  const sorted = [...namesByFile].sort(([left], [right]) => (left < right ? -1 : 1));
  return sorted.map(([path, names]) => `import type { ${names.join(", ")} } from "${path}";\n`).join("");
}

function indexText(paths: readonly string[]): string {
  const names = paths.map((path) => path.replace(/^.*\//, "")).sort();
  return `${head}\n${names.map((name) => `export type * from "./${name}";\n`).join("")}`;
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(clientTypes())) await Bun.write(path, text);
}
