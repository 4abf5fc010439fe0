import type { OpenApiDocument, Operation, ParameterObject, Schema } from "../openapi/types.ts";
import { routes } from "../routes.ts";
import type { Call, CallParameter, Values } from "./samples/call.ts";
import { resolve } from "./schema-text.ts";

/** An operation of the description as samples and the console need it. */
export function callOf(path: string, operation: Operation, document: OpenApiDocument): Call {
  const { operationId, parameters = [], responses, security } = operation;
  return {
    operationId,
    path,
    parameters: parameters.flatMap((parameter) => parameterOf(parameter, document)),
    example: exampleOf(path, operation),
    ...answerOf(operation, document),
    needsDevice: routes.find((route) => route.operationId === operationId)?.needsDevice ?? false,
    needsKey: security === undefined,
    isConditional: Object.hasOwn(responses, "304"),
  };
}

/** Headers are the console's own business. */
function parameterOf({ name, in: place, schema }: ParameterObject, document: OpenApiDocument): CallParameter[] {
  if (place === "header") return [];
  const { minimum, maximum, default: standard, ...plain } = resolve(schema, document);
  const kind = kindOf(plain);
  return [
    {
      name,
      place,
      kind,
      ...(kind === "choice" ? { values: (plain.enum ?? []).map(String) } : {}),
      ...(standard === undefined ? {} : { standard: String(standard) }),
      ...(minimum === undefined ? {} : { min: minimum }),
      ...(maximum === undefined ? {} : { max: maximum }),
    },
  ];
}

function kindOf({ type, enum: values, format, pattern }: Schema): CallParameter["kind"] {
  if (type === "boolean" || String(values) === "true,false") return "boolean";
  if (values) return "choice";
  if (type === "integer") return "integer";
  if (format === "date-time") return "time";
  return pattern?.includes("(,") ? "list" : "text";
}

function answerOf(
  { responses, parameters = [] }: Operation,
  document: OpenApiDocument,
): Pick<Call, "answer" | "record"> {
  const answer = responses["200"];
  const schema = answer && "content" in answer ? answer.content?.["application/json"].schema : undefined;
  const data = schema && resolve(schema, document).properties?.data;
  if (!data) return { answer: "text", record: "Answer" };
  const isList = data.type === "array" && typeof data.items === "object";
  const record = (isList ? (data.items as Schema) : data).$ref?.replace(/^.*\//, "") ?? "Record";
  const hasPages = parameters.some(({ name }) => name === "cursor");
  return { answer: hasPages ? "pages" : isList ? "list" : "record", record };
}

function exampleOf(path: string, { "x-example-request": request }: Operation): Values {
  const [before = "", query = ""] = request.split("?");
  const steps = before.split("/");
  const inPath = path
    .split("/")
    .flatMap((step, index): [string, string][] =>
      step.startsWith("{") ? [[step.slice(1, -1), decodeURIComponent(steps[index] ?? "")]] : [],
    );
  return Object.fromEntries([...inPath, ...new URLSearchParams(query)]);
}
