// Writes the schemas of the description as Python, for 3.9 and newer.
import type { Schema } from "../src/api/openapi/types.ts";

const lineWidth = 110;

export function pythonType(schema: Schema): string {
  if (schema.$ref) return schema.$ref.replace(/^.*\//, "");
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(", ")}]`;
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return unionOf(options.map(pythonType));
  if (Array.isArray(schema.type)) return unionOf(schema.type.map((type: string) => pythonType({ ...schema, type })));
  switch (schema.type) {
    case "array":
      return `List[${typeof schema.items === "object" ? pythonType(schema.items) : "Any"}]`;
    case "object":
      return `Dict[str, ${valueType(schema.additionalProperties)}]`;
    case "string":
      return "str";
    case "integer":
      return "int";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    case "null":
      return "None";
    default:
      return "Any";
  }
}

export function typedDictText(name: string, schema: Schema): string {
  const { description, properties = {}, required = [] } = schema;
  if (Object.keys(properties).some((key) => keywords.has(key))) return calledDictText(name, schema);
  const fieldsOf = (isRequired: boolean) =>
    Object.entries(properties)
      .filter(([key]) => required.includes(key) === isRequired)
      .map(([key, property]) => `${commentText(property.description)}    ${key}: ${pythonType(property)}\n`)
      .join("");
  const optional = fieldsOf(false);
  const doc = docText(description);
  if (optional === "") return `class ${name}(TypedDict):\n${doc}${fieldsOf(true)}`;
  // Older versions of Python cannot say of a single field that it may be absent, only of all of a class.
  const always = `class _${name}(TypedDict):\n${docText(`What every ${name} has.`)}${fieldsOf(true)}`;
  return `${always}\n\nclass ${name}(_${name}, total=False):\n${doc}${optional}`;
}

/** Words of Python that a field may be called by. */
const keywords: ReadonlySet<string> = new Set(["as", "class", "from", "global", "import", "in", "is", "pass"]);

/** Of a record with a field that a class cannot have. All of its fields must be there. */
function calledDictText(name: string, { description, properties = {}, required = [] }: Schema): string {
  const optional = Object.keys(properties).find((key) => !required.includes(key));
  if (optional !== undefined)
    throw new Error(`${name} has a keyword of Python as a field, and ${optional} may be absent`);
  const fields = Object.entries(properties).map(([key, property]) => {
    const comment = commentText(property.description).replaceAll(/^/gm, "    ").trimEnd();
    return `${comment}\n        "${key}": ${pythonType(property)},\n`;
  });
  const comment = commentText(description).replace(/^ {4}/gm, "");
  return `${comment}${name} = TypedDict(\n    "${name}",\n    {\n${fields.join("")}    },\n)\n`;
}

export function aliasText(name: string, schema: Schema): string {
  const comment = commentText(schema.description).replace(/^ {4}/gm, "");
  return `${comment}${brokenUp(`${name} = ${pythonType(schema)}`)}\n`;
}

export function docText(text: string | undefined): string {
  if (!text) return "";
  const [first = "", ...rest] = wrapped(text.replaceAll("\\", "\\\\"), "    ");
  const quoted = `    """${first.trimStart()}`;
  return rest.length === 0 ? `${quoted}"""\n\n` : `${[quoted, ...rest].join("\n")}\n    """\n\n`;
}

function valueType(values: boolean | Schema | undefined): string {
  return typeof values === "object" && Object.keys(values).length > 0 ? pythonType(values) : "Any";
}

function literal(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : JSON.stringify(value);
}

function unionOf(types: readonly string[]): string {
  const different = [...new Set(types)];
  const others = different.filter((type) => type !== "None");
  const [only = "None"] = others;
  const union = others.length > 1 ? `Union[${others.join(", ")}]` : only;
  return different.includes("None") && others.length > 0 ? `Optional[${union}]` : union;
}

/** An assignment with one member a line, where it is too long for one line. */
function brokenUp(line: string): string {
  if (line.length <= lineWidth) return line;
  return line.replace(/\[(.*)\]$/, (_, members: string) => `[\n    ${members.replaceAll(", ", ",\n    ")},\n]`);
}

function commentText(text: string | undefined): string {
  return wrapped(text ?? "", "    #: ")
    .map((line) => `${line}\n`)
    .join("");
}

function wrapped(text: string, before: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < lineWidth) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${before}${word}`);
  }
  return lines;
}
