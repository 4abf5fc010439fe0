import type { Parameter } from "../parameter.ts";
import type { Route } from "../route.ts";
import { scopeResponse } from "./error-responses.ts";
import { type HeaderName, headers, headersWith } from "./headers.ts";
import { invalidRequestResponse, notFoundResponse } from "./request-errors.ts";
import type { SchemaCollection } from "./schemas.ts";
import type { Operation, ParameterObject, ResponseObject } from "./types.ts";

const ifNoneMatch: ParameterObject = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description:
    "The `ETag` of an earlier answer. If nothing has changed since, the answer is 304 without a body. Leave it out on the " +
    "first call.",
  schema: { type: "string" },
  example: headers.ETag.example,
};

/** A route as an operation. Its named schemas go into the collection. */
export function operationOf(route: Route, schemas: SchemaCollection): Operation {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description}\n\nNeeds the scope \`${route.scope}\`.`,
    "x-required-scope": route.scope,
    "x-example-request": route.example.request,
    parameters: [...route.parameters.map(parameterOf), ...(route.conditional ? [ifNoneMatch] : [])],
    responses: responsesOf(route, schemas),
  };
}

function parameterOf(parameter: Parameter<unknown>): ParameterObject {
  const { name, required, description, schema, example } = parameter;
  return { name, in: parameter.in, required, description, schema, example };
}

function responsesOf(route: Route, schemas: SchemaCollection): Operation["responses"] {
  const invalidRequest = invalidRequestResponse(route);
  const notFound = notFoundResponse(route);
  return {
    200: found(route, schemas),
    ...(route.conditional ? { 304: notModified } : {}),
    ...(invalidRequest ? { 400: invalidRequest } : {}),
    401: { $ref: "#/components/responses/InvalidApiKey" },
    403: scopeResponse(route.scope),
    ...(notFound ? { 404: notFound } : {}),
    429: { $ref: "#/components/responses/RateLimited" },
    500: { $ref: "#/components/responses/Internal" },
  };
}

function found(route: Route, schemas: SchemaCollection): ResponseObject {
  const own: HeaderName[] = [];
  if (route.conditional) own.push("ETag");
  if (route.windowed) own.push("X-Window-From", "X-Window-To", "X-Window-Clamped");
  return {
    description: route.summary,
    headers: headersWith(...own),
    content: { "application/json": { schema: schemas.add(route.response), example: route.example.response } },
  };
}

const notModified: ResponseObject = {
  description: "Nothing has changed since the answer that `If-None-Match` names. No body, and free of the daily quota.",
  headers: headersWith("ETag"),
};
