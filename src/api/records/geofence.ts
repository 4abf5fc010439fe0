import { z } from "zod";
import { fenceShapes, radiusLimitsMetres, widthLimitsMetres } from "../../domain/geometry/fence-shape.ts";
import type { AssignedGeofenceRow, VisibleGeofenceRow } from "../../store/fleet/geofences.ts";
import { timeValue, uuidText } from "./fields.ts";
import { apiRecord, field, jsonField, type RecordFields } from "./record.ts";
import { story } from "./story.ts";

const outline = [
  [13.2841, 52.4959],
  [13.3672, 52.4738],
  [13.4706, 52.4811],
  [13.4689, 52.5389],
  [13.3935, 52.5536],
  [13.3018, 52.5427],
  [13.2841, 52.4959],
];

const exampleRow: VisibleGeofenceRow = {
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

const metres = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max).nullable();

const fields: RecordFields<VisibleGeofenceRow> = {
  geofence_id: field(uuidText, "The geofence's id.", (row) => row.id, [story.geofenceId]),
  name: field(z.string(), "What the fleet calls it.", (row) => row.name, [story.geofenceName]),
  description: field(z.string().nullable(), "More about it.", (row) => row.description),
  shape: field(
    z.enum(fenceShapes),
    "A circle is a `Point`, a polygon a `Polygon`, a corridor a `LineString`.",
    (row) => row.shape,
  ),
  geometry: jsonField(geometry, "Where it is, as GeoJSON: longitude comes first.", (row) => row.geometry_json),
  radius_m: field(
    metres(radiusLimitsMetres),
    "Of a circle, in metres; null for the other shapes.",
    (row) => row.radius_m,
  ),
  width_m: field(
    metres(widthLimitsMetres),
    "Of a corridor, from edge to edge, in metres; null for the other shapes.",
    (row) => row.width_m,
  ),
  bbox: jsonField(
    z.array(z.number()).length(4),
    "West, south, east, north, in degrees. West is greater than east across the antimeridian.",
    (row) => row.bbox_json,
  ),
  color: field(z.string().nullable(), "To draw it with: `#rrggbb`, `#rgb` or a CSS name.", (row) => row.color),
  created_at: timeValue("When it was first loaded.", (row) => row.created_at),
  updated_at: timeValue("When it last changed.", (row) => row.updated_at),
};

export const geofence = apiRecord<VisibleGeofenceRow>({
  name: "Geofence",
  description: "An area that crossings are recorded for, as it is now.",
  fields,
  exampleRow,
});

export const assignedGeofence = apiRecord<AssignedGeofenceRow>({
  name: "AssignedGeofence",
  description: "A geofence with what it is to one device.",
  fields: {
    ...fields,
    assigned_at: timeValue("When it was assigned to the device.", (row) => row.assigned_at),
    inside: field(z.boolean().nullable(), "Whether the device is inside; null while it has no position.", (row) =>
      row.inside === null ? null : Boolean(row.inside),
    ),
  },
  exampleRow: { ...exampleRow, assigned_at: Date.parse("2025-11-03T09:30:12.508Z"), inside: true },
});
