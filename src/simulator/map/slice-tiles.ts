import { GeoJSONVT } from "@maplibre/geojson-vt";
import { fromGeojsonVt } from "@maplibre/vt-pbf";
import type { Feature, LineString, Point, Polygon } from "geojson";
import type { BoundingBox } from "../../domain/geometry/bounding-box.ts";
import type { ArchivedTile } from "./pmtiles-archive.ts";

export type MapFeature = Feature<
  Point | LineString | Polygon,
  {
    readonly kind: string;
    /** From this zoom on it is in the tiles. */
    readonly min_zoom: number;
    readonly [name: string]: string | number | boolean;
  }
>;

/** The features of each layer of the Protomaps schema. */
export type MapLayers = Readonly<Record<string, readonly MapFeature[]>>;

const minZoom = 4;
/** Nearer zooms are drawn from these tiles. A step in them is about a metre. */
const maxZoom = 13;
const extent = 4096;
/** Roads are drawn wider than they are, so they begin a little outside of a tile. */
const buffer = 128;

/** Cuts the features into tiles. A tile without features is left out. */
export function sliceTiles(layers: MapLayers, bounds: BoundingBox): ArchivedTile[] {
  const options = { maxZoom, indexMaxZoom: maxZoom, indexMaxPoints: 0, extent, buffer, tolerance: 2 };
  const indexes = Object.entries(layers).map(([name, features]) => {
    const data = { type: "FeatureCollection" as const, features: [...features] };
    return { name, index: new GeoJSONVT(data, options) };
  });
  const tiles: ArchivedTile[] = [];
  for (const [z, x, y] of tilesWithin(bounds)) {
    const content = Object.fromEntries(
      indexes.flatMap(({ name, index }) => {
        const tile = index.getTile(z, x, y);
        const features = tile?.features.filter(({ tags }) => (tags?.min_zoom ?? 0) <= z) ?? [];
        return tile && features.length > 0 ? [[name, { ...tile, features }]] : [];
      }),
    );
    if (Object.keys(content).length === 0) continue;
    // Both packages have a type for the same tile.
    const encoded = fromGeojsonVt(content as never, { version: 2, extent });
    tiles.push({ z, x, y, gzip: Bun.gzipSync(Uint8Array.from(encoded)) });
  }
  return tiles;
}

function* tilesWithin([west, south, east, north]: BoundingBox): Iterable<readonly [number, number, number]> {
  for (let z = minZoom; z <= maxZoom; z++) {
    const size = 2 ** z;
    const column = (longitude: number) => Math.floor(((longitude + 180) / 360) * size);
    const row = (latitude: number) =>
      Math.floor(((1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2) * size);
    for (let x = column(west); x <= column(east); x++) {
      for (let y = row(north); y <= row(south); y++) yield [z, x, y];
    }
  }
}
