import { fileURLToPath } from "node:url";
import { openApiDocument } from "../src/api/openapi/document.ts";
import type { OpenApiDocument, Operation, ParameterObject, Schema } from "../src/api/openapi/types.ts";
import { aliasText, docText, pythonType, typedDictText } from "./python-text.ts";

// Writes the Python client's records and operations from the description: `bun scripts/python-client.ts`. A test compares.

const folder = fileURLToPath(new URL("../client-python/odograph_client", import.meta.url));
const made = "Made from the description by scripts/python-client.ts: change the description instead.";

/** The client has its own words for envelopes and errors, reads JSON, and nothing of the service itself. */
const isWantedSchema = (name: string) =>
  !/(?:List|Answer)$|^(?:Health|Description|ErrorDetail)$|^Feature|^(?:Table|Map|Track)Format$/.test(name);
/** The changes have methods of their own: `follow()` and `list_changes()`. */
const isWanted = ({ tags, operationId }: Operation) => !tags.includes("Service") && operationId !== "listChanges";

/** The files, by their path. */
export function pythonClient(): Readonly<Record<string, string>> {
  const document = openApiDocument();
  return {
    [`${folder}/records.py`]: recordsText(document),
    [`${folder}/operations.py`]: operationsText(document),
  };
}

function recordsText({ components: { schemas } }: OpenApiDocument): string {
  const names = dependenciesFirst(schemas).filter(isWantedSchema);
  const texts = names.map((name) => {
    const schema = schemas[name] ?? {};
    return schema.properties ? typedDictText(name, schema) : aliasText(name, schema);
  });
  const body = texts.join("\n\n");
  return `"""${made}"""\n\n${importText(body, "TypedDict")}\n\n${body}`;
}

/** A name must be there before it is used. */
function dependenciesFirst(schemas: Readonly<Record<string, Schema>>): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    for (const [, inner = ""] of JSON.stringify(schemas[name]).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
      if (inner !== name) visit(inner);
    found.add(name);
  };
  for (const name of Object.keys(schemas).sort()) visit(name);
  return [...found];
}

function operationsText({ paths, components }: OpenApiDocument): string {
  const methods = Object.entries(paths)
    .filter(([, { get }]) => isWanted(get))
    .map(([path, { get }]) => methodText(path, get, components.schemas));
  const body = `class Operations:
${docText("A method for each operation; how a list or a single record is read, a subclass knows.")}${methods.join("\n")}
    def _list(self, path: str, query: Mapping[str, Any]) -> Pages[Any]:
        raise NotImplementedError

    def _single(self, path: str) -> Any:
        raise NotImplementedError


def _path(template: str, **names: str) -> str:
    return template.format(**{key: quote(name, safe="") for key, name in names.items()})
`;
  const used = Object.keys(components.schemas)
    .filter((name) => isWantedSchema(name) && new RegExp(`\\b${name}\\b`).test(body))
    .sort();
  const ours = `from .pages import Pages\nfrom .records import (\n${used.map((name) => `    ${name},\n`).join("")})\nfrom .transport import Time`;
  return `"""${made}"""\n\n${importText(body)}\nfrom urllib.parse import quote\n\n${ours}\n\n\n${body}`;
}

function methodText(path: string, operation: Operation, schemas: Readonly<Record<string, Schema>>): string {
  return methodOf(path, operation, answerOf(operation, schemas));
}

function methodOf(path: string, operation: Operation, { isList, record }: ReturnType<typeof answerOf>): string {
  const { operationId, summary, parameters = [] } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  // Pages are the client's own business, but for how large they are; and it reads JSON.
  const inQuery = parameters.filter(
    ({ in: place, name, deprecated }) => place === "query" && !deprecated && !/^(?:cursor|format|geometry)$/.test(name),
  );
  const words = [
    "self",
    ...inPath.map(({ name, schema }) => `${name}: ${pythonType(schema)}`),
    ...(inQuery.length > 0 ? ["*"] : []),
    ...inQuery.map((parameter) =>
      parameter.required
        ? `${argumentName(parameter)}: ${argumentType(parameter)}`
        : `${argumentName(parameter)}: Optional[${argumentType(parameter)}] = None`,
    ),
  ];
  const address =
    inPath.length === 0 ? `"${path}"` : `_path("${path}", ${inPath.map(({ name }) => `${name}=${name}`).join(", ")})`;
  const query = inQuery.map((parameter) => `            "${parameter.name}": ${argumentName(parameter)},\n`).join("");
  const call = !isList
    ? `        record: ${record} = self._single(${address})\n        return record\n`
    : query === ""
      ? `        return self._list(${address}, {})\n`
      : `        query = {\n${query}        }\n        return self._list(${address}, query)\n`;
  const name = operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const result = isList ? `Pages[${record}]` : record;
  return `    def ${name}(\n${words.map((word) => `        ${word},\n`).join("")}    ) -> ${result}:
        """${summary}."""
${call}`;
}

function answerOf({ operationId, responses }: Operation, schemas: Readonly<Record<string, Schema>>) {
  const answer = responses["200"];
  const envelope = answer && "content" in answer ? answer.content?.["application/json"].schema.$ref : undefined;
  const data = schemas[envelope?.replace(/^.*\//, "") ?? ""]?.properties?.data;
  if (!data) throw new Error(`${operationId} answers with no envelope`);
  const isList = data.type === "array";
  return { isList, record: pythonType(isList && typeof data.items === "object" ? data.items : data) };
}

/** `from` is a word of Python's own. */
function argumentName({ name }: ParameterObject): string {
  return name === "from" ? "from_" : name;
}

function argumentType({ schema }: ParameterObject): string {
  if (schema.format === "date-time") return "Time";
  return String(schema.enum) === "true,false" ? "bool" : pythonType(schema);
}

function importText(body: string, ...always: readonly string[]): string {
  const words = ["Any", "Dict", "Iterator", "List", "Literal", "Mapping", "Optional", "Union"];
  const code = body.replace(/""".*?"""|#:[^\n]*/gs, "");
  const used = [...words.filter((word) => new RegExp(`\\b${word}\\b`).test(code)), ...always].sort();
  return `from typing import ${used.join(", ")}`;
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(pythonClient())) await Bun.write(path, text);
}
