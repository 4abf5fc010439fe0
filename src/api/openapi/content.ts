import { z } from "zod";
import { type FormatName, mediaTypes } from "../formats/format.ts";
import type { Route } from "../route.ts";
import type { SchemaCollection } from "./schemas.ts";
import type { Content, Schema } from "./types.ts";

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
export function contentOf(route: Route, schemas: SchemaCollection): Content {
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
