import type { LayerSpecification, StyleSpecification } from "maplibre-gl";
import type { StreetTiles } from "../../../records/portal-records.ts";
import type { MapTheme } from "./map-theme.ts";
import { areaLayers, roadLayers } from "./street-ground.ts";
import { streetNameLayers } from "./street-names.ts";
import { cityLayers, fineGrid, lowestNames } from "./world-style.ts";

export const streetSource = "streets";

/** Below this zoom an archive of one region would be a patch on the map of the world. */
const regionZoom = 6;

/** From this zoom on streets show distances. */
const gridEndsZoom = 8;

/**
 * The map with streets: those of our server's tiles, over the map of the world, which stays visible around them and
 * wherever a tile is missing.
 */
export function streetStyle(
  world: StyleSpecification,
  theme: MapTheme,
  tiles: StreetTiles,
  language: string,
): StyleSpecification {
  const [west, south, east, north] = tiles.bounds;
  const fromZoom = east - west > 180 ? 0 : regionZoom;
  const near = (layer: LayerSpecification): LayerSpecification =>
    ({ ...layer, minzoom: Math.max(fromZoom, "minzoom" in layer ? (layer.minzoom ?? 0) : 0) }) as LayerSpecification;
  const ground = [...areaLayers(streetSource, theme), ...roadLayers(streetSource, theme)].map(near);
  // Tiles reach over the bounds. So that no city has two names, each map names those on its side.
  const isWithin = ["within", { type: "Polygon", coordinates: [boxAround(west, south, east, north)] }];
  const isOutside = ["any", ["<", ["zoom"], fromZoom], ["!", isWithin]];
  const names = streetNameLayers(streetSource, theme, language).map((layer) =>
    near(layer["source-layer"] === "places" ? restricted(layer, isWithin) : layer),
  );
  const layers = world.layers.map((layer) => {
    if (layer.id === fineGrid) return { ...layer, maxzoom: gridEndsZoom };
    return cityLayers.includes(layer.id) ? restricted(layer, isOutside) : layer;
  });
  const above = layers.findIndex(({ id }) => id === lowestNames);
  return {
    ...world,
    sources: {
      ...world.sources,
      [streetSource]: {
        type: "vector",
        tiles: [new URL(tiles.url, location.origin).href.replaceAll("%7B", "{").replaceAll("%7D", "}")],
        minzoom: tiles.min_zoom,
        maxzoom: tiles.max_zoom,
        bounds: [...tiles.bounds],
        attribution: tiles.attribution,
        // MapLibre knows it, the style's specification not yet.
        ...({ sparse: tiles.is_sparse } as object),
      },
    },
    layers: [...layers.slice(0, above), ...ground, ...layers.slice(above), ...names],
  };
}

function restricted(layer: LayerSpecification, condition: unknown): LayerSpecification {
  const filter = "filter" in layer ? layer.filter : true;
  return { ...layer, filter: ["all", filter, condition] } as LayerSpecification;
}

function boxAround(west: number, south: number, east: number, north: number): [number, number][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}
