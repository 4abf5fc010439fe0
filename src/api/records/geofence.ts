import { z } from "zod";
import { fenceShapes, radiusLimitsMetres, widthLimitsMetres } from "../../domain/geometry/fence-shape.ts";
import type { VisibleGeofenceRow } from "../../store/geofences.ts";
import { presenter } from "./body.ts";
import { instant, uuid } from "./fields.ts";
import type { JsonWriter } from "./json-writer.ts";
import { closeBrace, firstKey, keys } from "./literal.ts";
import { story } from "./story.ts";

const geofenceId = firstKey("geofence_id");
const key = {
  ...keys("name", "description", "shape", "geometry", "radius_m", "width_m", "bbox", "color"),
  ...keys("created_at", "updated_at"),
};

/** All of a fence but the closing brace. */
export function writeFence(json: JsonWriter, row: VisibleGeofenceRow): void {
  json.literal(geofenceId);
  json.plain(row.id);
  json.literal(key.name);
  json.text(row.name);
  json.literal(key.description);
  json.text(row.description);
  json.literal(key.shape);
  json.plain(row.shape);
  json.literal(key.geometry);
  json.json(row.geometry_json);
  json.literal(key.radius_m);
  json.number(row.radius_m);
  json.literal(key.width_m);
  json.number(row.width_m);
  json.literal(key.bbox);
  json.json(row.bbox_json);
  json.literal(key.color);
  json.text(row.color);
  json.literal(key.created_at);
  json.instant(row.created_at);
  json.literal(key.updated_at);
  json.instant(row.updated_at);
}

export function writeGeofence(json: JsonWriter, row: VisibleGeofenceRow): void {
  writeFence(json, row);
  json.literal(closeBrace);
}

export const presentGeofence = presenter(writeGeofence);

const outline = [
  [13.2841, 52.4959],
  [13.3672, 52.4738],
  [13.4706, 52.4811],
  [13.4689, 52.5389],
  [13.3935, 52.5536],
  [13.3018, 52.5427],
  [13.2841, 52.4959],
];

export const exampleGeofenceRow: VisibleGeofenceRow = {
  id: story.geofenceId,
  name: story.geofenceName,
  description: "Green sticker needed inside the city railway ring",
  color: "#2e8b57",
  shape: "polygon",
  geometry_json: JSON.stringify({ type: "Polygon", coordinates: [outline] }),
  radius_m: null,
  width_m: null,
  bbox_json: JSON.stringify([13.2841, 52.4738, 13.4706, 52.5536]),
  created_at: Date.parse("2025-11-03T09:30:12.508Z"),
  updated_at: Date.parse("2026-01-15T11:48:37.900Z"),
};
export const exampleGeofenceRecord: unknown = JSON.parse(presentGeofence(exampleGeofenceRow));

const coordinates = z.array(z.number()).length(2).describe("Longitude, latitude: WGS 84, in degrees.");

const geometry = z
  .discriminatedUnion("type", [
    z
      .strictObject({ type: z.literal("Point"), coordinates })
      .meta({ id: "GeoJsonPoint", description: "The centre of a circle." }),
    z
      .strictObject({ type: z.literal("Polygon"), coordinates: z.array(z.array(coordinates)) })
      .meta({ id: "GeoJsonPolygon", description: "The outline and, after it, any holes. Rings are closed." }),
    z
      .strictObject({ type: z.literal("LineString"), coordinates: z.array(coordinates) })
      .meta({ id: "GeoJsonLineString", description: "The middle of a corridor." }),
  ])
  .meta({ id: "GeofenceGeometry", description: "GeoJSON (RFC 7946): longitude comes first." });

const metres = ({ least, most }: { least: number; most: number }) => z.number().min(least).max(most).nullable();

export const geofenceFields = {
  geofence_id: uuid.meta({ description: "The geofence's id.", examples: [story.geofenceId] }),
  name: z.string().meta({ description: "What the fleet calls it.", examples: [story.geofenceName] }),
  description: z.string().nullable().describe("More about it."),
  shape: z.enum(fenceShapes).describe("A circle is a `Point`, a polygon a `Polygon`, a corridor a `LineString`."),
  geometry: geometry.describe("Where it is, as GeoJSON: longitude comes first."),
  radius_m: metres(radiusLimitsMetres).describe("Of a circle, in metres; null for the other shapes."),
  width_m: metres(widthLimitsMetres).describe(
    "Of a corridor, from edge to edge, in metres; null for the other shapes.",
  ),
  bbox: z
    .array(z.number())
    .length(4)
    .describe("West, south, east, north, in degrees. West is greater than east across the antimeridian."),
  color: z.string().nullable().meta({ description: "To draw it with: `#rrggbb`, `#rgb` or a CSS name." }),
  created_at: instant.describe("When it was first loaded."),
  updated_at: instant.describe("When it last changed."),
};

export const geofenceSchema = z.strictObject(geofenceFields).meta({
  id: "Geofence",
  description: "An area that crossings are recorded for, as it is now.",
  examples: [exampleGeofenceRecord],
});
