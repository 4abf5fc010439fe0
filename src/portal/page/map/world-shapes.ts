import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { unbrokenLand } from "./unbroken-rings.ts";

/** The file of coasts and borders, as it comes. */
export type Atlas = Topology<{ countries: GeometryCollection<{ name: string }>; land: GeometryCollection }>;

export interface World {
  readonly land: GeoJSON.MultiPolygon;
  readonly borders: GeoJSON.MultiLineString;
}

/** What is handed to the map. Pure. */
export function worldShapes(atlas: Atlas): World {
  const pieces = feature(atlas, atlas.objects.land).features.map(({ geometry }) => geometry);
  const coordinates = pieces.flatMap((piece) => (piece.type === "MultiPolygon" ? piece.coordinates : []));
  return {
    land: unbrokenLand({ type: "MultiPolygon", coordinates }),
    borders: mesh(atlas, atlas.objects.countries, (one, other) => one !== other),
  };
}
