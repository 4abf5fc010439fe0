import type { BoundingBox } from "../../domain/geometry/bounding-box.ts";
import { createRegion } from "../region/places.ts";
import { pmtilesArchive } from "./pmtiles-archive.ts";
import { regionLayers } from "./region-layers.ts";
import { type MapLayers, sliceTiles } from "./slice-tiles.ts";

/** Room around the outermost road, in degrees. */
const margin = 0.05;

/** Roads, stops and towns in Protomaps' schema, drawn like a map of a real place. Same seed, same bytes. */
export function streetArchive(seed: number): Uint8Array<ArrayBuffer> {
  const layers = regionLayers(createRegion(seed));
  const bounds = boundsOf(layers);
  const metadata = {
    name: "Streets of the demo",
    description: "The roads of a simulated region. They are made up.",
    type: "baselayer",
    attribution: "Streets: made up for the demo",
    vector_layers: Object.keys(layers).map((id) => ({ id, fields: { kind: "String", name: "String" } })),
  };
  return pmtilesArchive({ tiles: sliceTiles(layers, bounds), bounds, metadata });
}

function boundsOf({ roads = [] }: MapLayers): BoundingBox {
  const points = roads.flatMap(({ geometry }) => (geometry.type === "LineString" ? geometry.coordinates : []));
  const longitudes = points.map(([longitude = 0]) => longitude);
  const latitudes = points.map(([, latitude = 0]) => latitude);
  return [
    Math.min(...longitudes) - margin,
    Math.min(...latitudes) - margin,
    Math.max(...longitudes) + margin,
    Math.max(...latitudes) + margin,
  ];
}
