import type { OpenApiDocument, Operation, ParameterObject, Schema } from "../openapi/types.ts";
import { routes } from "../routes.ts";
import type { CallParameter, SampleCall, SampleValues } from "./samples/call.ts";
import { resolve } from "./schema-text.ts";

export function callOf(path: string, operation: Operation, document: OpenApiDocument): SampleCall {
  const { operationId, parameters = [], responses, security } = operation;
  const needsDevice = routes.find((route) => route.operationId === operationId)?.needsDevice ?? false;
  return {
    operationId,
    path,
    parameters: parameters.flatMap((parameter) => parameterOf(parameter, document)),
    example: exampleOf(path, operation, needsDevice),
    ...answerOf(operation, document),
    needsDevice,
    needsKey: security === undefined,
    isConditional: Object.hasOwn(responses, "304"),
  };
}

/** Headers are the console's own business, and nobody is led to what is deprecated. */
function parameterOf(
  { name, in: place, schema, required, deprecated }: ParameterObject,
  document: OpenApiDocument,
): CallParameter[] {
  if (place === "header" || deprecated) return [];
  const { minimum, maximum, default: standard, ...plain } = resolve(schema, document);
  // The clients take it as one text.
  const kind = name === "fields" ? "text" : kindOf(plain);
  return [
    {
      name,
      place,
      kind,
      ...(kind === "choice" ? { values: (plain.enum ?? []).map(String) } : {}),
      ...(standard === undefined ? {} : { standard: String(standard) }),
      ...(minimum === undefined ? {} : { min: minimum }),
      ...(maximum === undefined ? {} : { max: maximum }),
      ...(required && place === "query" ? { isRequired: true } : {}),
    },
  ];
}

function kindOf({ type, enum: values, format, pattern }: Schema): CallParameter["kind"] {
  if (type === "boolean" || String(values) === "true,false") return "boolean";
  if (values) return "choice";
  if (type === "integer" || type === "number") return type;
  if (format === "date-time") return "time";
  return pattern?.includes("(,") ? "list" : "text";
}

function answerOf(
  { responses, parameters = [] }: Operation,
  document: OpenApiDocument,
): Pick<SampleCall, "answer" | "record"> {
  const answer = responses["200"];
  const schema = answer && "content" in answer ? answer.content?.["application/json"].schema : undefined;
  const data = schema && resolve(schema, document).properties?.data;
  if (!data) return { answer: "text", record: "Answer" };
  const isList = data.type === "array" && typeof data.items === "object";
  const record = (isList ? (data.items as Schema) : data).$ref?.replace(/^.*\//, "") ?? "Record";
  const hasPages = parameters.some(({ name }) => name === "cursor");
  return { answer: hasPages ? "pages" : isList ? "list" : "record", record };
}

/**
 * The example of the description, so that it runs as pasted. What only a server gives out cannot be made up: it is left
 * out, or stands as a word in capitals where a call cannot do without.
 */
function exampleOf(path: string, { "x-example-request": request }: Operation, needsDevice: boolean): SampleValues {
  const [before = "", query = ""] = request.split("?");
  const steps = before.split("/");
  const inPath = path
    .split("/")
    .flatMap((step, index): [string, string][] =>
      step.startsWith("{") ? [[step.slice(1, -1), decodeURIComponent(steps[index] ?? "")]] : [],
    );
  const shown = [...inPath, ...new URLSearchParams(query)].flatMap(([name, value]): [string, string][] => {
    if (!isGivenOut(name)) return [[name, value]];
    const isNeeded = path.includes(`{${name}}`) || (needsDevice && name === "imei");
    return isNeeded ? [[name, name.toUpperCase()]] : [];
  });
  return Object.fromEntries(shown);
}

function isGivenOut(name: string): boolean {
  return ["after", "cursor", "imei"].includes(name) || name.endsWith("_id");
}
