import { createRegion } from "../region/places.ts";
import { pmtilesArchive } from "./pmtiles-archive.ts";
import { regionLayers } from "./region-layers.ts";
import { type Bounds, type MapLayers, sliceTiles } from "./slice-tiles.ts";

/** Room around the outermost road, in degrees. */
const margin = 0.05;

/**
 * The streets of a world as a PMTiles archive: the roads that its vehicles drive on, the places where they stop, and towns.
 * It has the schema of Protomaps' maps, so that a map of these and one of a real place are drawn alike. The same seed gives
 * the same bytes.
 */
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

function boundsOf({ roads = [] }: MapLayers): Bounds {
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
