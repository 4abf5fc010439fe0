import { type AreaGeometry, circlePolygon, corridorPolygon } from "../../domain/geometry/fence-polygon.ts";
import { type OpenDocument, parsedRecords, type ShownFields, type ShownRecord, separated } from "./format.ts";
import { everyField, picked } from "./shown-fields.ts";

/** Longitude first (RFC 7946). */
type Position = readonly [longitude: number, latitude: number];

export type ShownGeometry =
  | { readonly type: "Point"; readonly coordinates: Position }
  | { readonly type: "LineString"; readonly coordinates: readonly Position[] }
  | { readonly type: "MultiLineString"; readonly coordinates: readonly (readonly Position[])[] }
  | AreaGeometry;

export interface FeatureRules {
  /** The field with the record's id. Null: it has none. */
  readonly idField: string | null;
  readonly geometryOf: (record: ShownRecord) => ShownGeometry | null;
  /** Fields that are only in the feature's geometry: repeating them would double its size. */
  readonly leftOut?: readonly string[];
}

/** A FeatureCollection. Like the envelope of a list it says where the next page begins. */
export function geoJsonOf(rules: FeatureRules, shown: ShownFields = everyField): OpenDocument {
  return separated({
    start: '{"type":"FeatureCollection","features":[',
    textOf: (json) =>
      parsedRecords(json)
        .map((record) => JSON.stringify(featureOf(record, rules, shown)))
        .join(","),
    end: (nextCursor, extra) => `],${JSON.stringify({ next_cursor: nextCursor, ...extra }).slice(1)}`,
  });
}

/** The place is the geometry's, whichever fields are shown. */
function featureOf(record: ShownRecord, { idField, geometryOf, leftOut = [] }: FeatureRules, shown: ShownFields) {
  const properties: Record<string, unknown> = shown.fields === null ? { ...record } : picked(record, shown);
  for (const field of leftOut) delete properties[field];
  const id = idField === null ? {} : { id: record[idField] };
  return { type: "Feature", ...id, geometry: geometryOf(record), properties };
}

/** A rejected frame may say that it is nowhere, or beyond a pole. */
export function pointGeometry({ latitude, longitude }: ShownRecord): ShownGeometry | null {
  const position = positionOf(latitude, longitude);
  return position && { type: "Point", coordinates: position };
}

/** Straight from the start to the end: the way between them is in the history. A trip in progress has only a start. */
export function startToEnd({ start, end }: ShownRecord): ShownGeometry | null {
  const [from, to] = [start, end].map((place) => {
    const { latitude, longitude } = (place ?? {}) as ShownRecord;
    return positionOf(latitude, longitude);
  });
  if (!from) return null;
  if (!to) return { type: "Point", coordinates: from };
  if (Math.abs(to[0] - from[0]) <= 180) return { type: "LineString", coordinates: [from, to] };
  return { type: "MultiLineString", coordinates: cutAtAntimeridian(from, to) };
}

export function ownGeometry({ geometry }: ShownRecord): ShownGeometry | null {
  return geometry as ShownGeometry;
}

/** A fence as an area, whatever its shape. */
export function areaGeometry({ geometry, radius_m, width_m }: ShownRecord): ShownGeometry | null {
  const own = geometry as ShownGeometry;
  if (own.type === "Point") return circlePolygon(own, Number(radius_m));
  return own.type === "LineString" ? corridorPolygon(own, Number(width_m)) : own;
}

function positionOf(latitude: unknown, longitude: unknown): Position | null {
  if (typeof latitude !== "number" || typeof longitude !== "number") return null;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? [longitude, latitude] : null;
}

/** As RFC 7946 wants it: no line crosses 180 degrees. */
function cutAtAntimeridian(from: Position, to: Position): Position[][] {
  const edge = from[0] > 0 ? 180 : -180;
  // Counted on beyond the edge, as if the Earth had more than 180 degrees.
  const beyond = to[0] + 2 * edge;
  const share = beyond === from[0] ? 0 : (edge - from[0]) / (beyond - from[0]);
  const latitude = Math.round((from[1] + share * (to[1] - from[1])) * 1e7) / 1e7;
  return [
    [from, [edge, latitude]],
    [[-edge, latitude], to],
  ];
}
