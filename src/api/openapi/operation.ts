import { z } from "zod";
import { type FormatName, mediaTypes } from "../formats/format.ts";
import type { Route } from "../route.ts";
import { expiredResponse, invalidRequestResponse, notFoundResponse, scopeResponse } from "./error-responses.ts";
import { type HeaderName, headers, headersWith } from "./headers.ts";
import type { SchemaCollection } from "./schemas.ts";
import type { Content, Operation, ParameterObject, ResponseObject, Schema } from "./types.ts";

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

export function operationOf(route: Route, schemas: SchemaCollection): Operation {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description}\n\n${need(route)}`,
    ...(route.scope === "any" ? {} : { "x-required-scope": route.scope }),
    "x-example-request": route.example.request,
    parameters: parametersOf(route, schemas),
    responses: responsesOf(route, schemas),
  };
}

function need({ scope, isOfCaller }: Route): string {
  if (isOfCaller) return "Needs no scope of its own: any key may call it.";
  return scope === "any"
    ? "Needs no scope of its own: each type needs that of its list."
    : `Needs the scope \`${scope}\`.`;
}

/** For a route that needs a device. Neither parameter is required by itself, or a client could not use the other. */
const neededDevice: Readonly<Record<string, string>> = {
  device_id: "The device. Required, unless `imei` names it instead; given both, they must name the same one.",
  imei:
    "The device by its IMEI, instead of `device_id`. An IMEI the key cannot see is 404, same as an unknown one " +
    "and as a text that is none.",
};

function parametersOf(route: Route, schemas: SchemaCollection): ParameterObject[] {
  const own = route.parameters.map((parameter) => {
    const { name, required, description, schema, example } = parameter;
    const shownDescription = (route.needsDevice && neededDevice[name]) || description;
    return {
      name,
      in: parameter.in,
      required,
      description: shownDescription,
      ...(parameter.isDeprecated && { deprecated: true }),
      schema: schemas.addParameter(schema),
      example,
    };
  });
  return route.conditional ? [...own, ifNoneMatch] : own;
}

function responsesOf(route: Route, schemas: SchemaCollection): Operation["responses"] {
  const invalidRequest = invalidRequestResponse(route);
  const notFound = notFoundResponse(route);
  return {
    200: found(route, schemas),
    ...(route.conditional ? { 304: notModified } : {}),
    ...(invalidRequest ? { 400: invalidRequest } : {}),
    401: { $ref: "#/components/responses/InvalidApiKey" },
    ...(route.isOfCaller ? {} : { 403: scopeResponse(route) }),
    ...(notFound ? { 404: notFound } : {}),
    ...(route.followed ? { 410: expiredResponse() } : {}),
    429: { $ref: "#/components/responses/RateLimited" },
    500: { $ref: "#/components/responses/Internal" },
  };
}

function found(route: Route, schemas: SchemaCollection): ResponseObject {
  const own: HeaderName[] = ["X-Ignored-Parameters"];
  if (route.conditional) own.push("ETag");
  if (route.windowed) own.push("X-Window-From", "X-Window-To", "X-Window-Clamped");
  if (hasPages(route) || route.parameters.some(({ isDeprecated }) => isDeprecated)) own.push("Link");
  if (route.followed) own.push("X-Resume-After");
  return {
    description: whatIsFound(route),
    headers: headersWith(...own),
    content: contentOf(route, schemas),
  };
}

function whatIsFound(route: Route): string {
  if (!route.formats) return "The record.";
  return hasPages(route) ? "A page of records." : "All records.";
}

function hasPages({ parameters }: Route): boolean {
  return parameters.some(({ name }) => name === "cursor");
}

const notModified: ResponseObject = {
  description: "Nothing has changed since the answer that `If-None-Match` names. No body, and free of the daily quota.",
  headers: headersWith("ETag"),
};

const geometry = z
  .looseObject({
    type: z.string().describe("Such as `Point`."),
    coordinates: z.array(z.any()).describe("Longitude first."),
  })
  .meta({ id: "FeatureGeometry", description: "GeoJSON (RFC 7946)." });

const feature = z
  .looseObject({
    type: z.literal("Feature").describe("Always `Feature`."),
    id: z.string().optional().describe("The record's id; absent where it has none."),
    geometry: geometry.nullable().describe("Where it is; null where that is not known."),
    properties: z.record(z.string(), z.any()).describe("The record, with the fields that it has in JSON."),
  })
  .meta({ id: "Feature", description: "A record with its place." });

const featureCollection = z
  .looseObject({
    type: z.literal("FeatureCollection").describe("Always `FeatureCollection`."),
    features: z.array(feature).describe("The records of the page."),
    next_cursor: z.string().nullable().describe("Opaque; pass it as `cursor`. Null: the end has been reached."),
  })
  .meta({ id: "FeatureCollection", description: "A page of records as GeoJSON (RFC 7946)." });

const texts: Readonly<Partial<Record<FormatName, string>>> = {
  csv: "A table (RFC 4180) with a header row. A nested field has a column for each of its parts, such as `start_latitude`.",
  ndjson: "One record a line, each as in JSON.",
  gpx: "GPX 1.1.",
};

/** The bodies of a route's answer, each with an example: the same record in every format. */
function contentOf(route: Route, schemas: SchemaCollection): Content {
  const { response, formats, example } = route;
  const json = { "application/json": { schema: schemas.add(response), example: example.response } };
  const others = (formats?.offered ?? []).filter((name) => name !== "json");
  return {
    ...json,
    ...Object.fromEntries(
      others.map((name) => [mediaTypes[name], { schema: schemaOf(name, schemas), example: exampleOf(route, name) }]),
    ),
  };
}

function schemaOf(name: FormatName, schemas: SchemaCollection): Schema {
  return name === "geojson" ? schemas.add(featureCollection) : { type: "string", description: texts[name] ?? "" };
}

function exampleOf({ formats, example }: Route, name: FormatName): unknown {
  const document = formats?.open(name, null);
  const { data } = example.response as { readonly data: readonly unknown[] };
  const records = JSON.stringify(data).slice(1, -1);
  const text = document ? document.start + document.records(records) + document.end(null) : "";
  return name === "geojson" ? JSON.parse(text) : text;
}
