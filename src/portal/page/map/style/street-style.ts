import type {
  FilterSpecification,
  LayerSpecification,
  StyleSpecification,
  SymbolLayerSpecification,
} from "maplibre-gl";
import type { StreetTiles } from "../../../both-sides/contract/session.ts";
import type { MapTheme } from "./map-theme.ts";
import { areaLayers, isOneOf, roadLayers } from "./street-ground.ts";
import { fineGrids, lowestNames, townLayers } from "./world-style.ts";

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
    if (fineGrids.includes(layer.id))
      return layer.id === "grid" ? { ...layer, maxzoom: gridEndsZoom } : restricted(layer, isOutside);
    return townLayers.includes(layer.id) ? restricted(layer, isOutside) : layer;
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

/** Names of anything else would hide the vehicles. */
const knownPlaces = [
  ...["aerodrome", "station", "ferry_terminal", "fuel", "charging_station", "hospital", "university", "stadium"],
  ...["industrial", "depot", "park", "zoo", "townhall"],
];

/** Larger places first, where there is not room for all. */
const largestFirst = ["-", ["coalesce", ["get", "population_rank"], 0]] as never;
const bySize = (small: number, large: number) =>
  ["interpolate", ["linear"], ["coalesce", ["get", "population_rank"], 0], 4, small, 12, large] as never;

/** Names of streets and places. They are above every road and below every vehicle. */
function streetNameLayers(source: string, theme: MapTheme, language: string): SymbolLayerSpecification[] {
  const { streets, fonts, label, land } = theme;
  // In the reader's language, where the map has it.
  const name = ["coalesce", ["get", `name:${language}`], ["get", "name"]] as never;
  const text = { "text-font": [...fonts], "text-field": name };
  const paint = { "text-color": label, "text-halo-color": land, "text-halo-width": 1.5 };
  const alongRoads = { "symbol-placement": "line", "text-pitch-alignment": "viewport" } as const;
  const names = (
    id: string,
    sourceLayer: string,
    filter: FilterSpecification,
    drawn: Pick<SymbolLayerSpecification, "minzoom" | "maxzoom" | "layout" | "paint">,
  ): SymbolLayerSpecification => ({
    id: `street-${id}`,
    type: "symbol",
    source,
    "source-layer": sourceLayer,
    filter,
    ...drawn,
  });
  const roadNames = (id: string, minzoom: number, ...kinds: string[]) =>
    // A number has its own sign.
    names(
      id,
      "roads",
      ["all", ["has", "name"], ["!=", ["get", "name"], ["get", "shield_text"]], isOneOf("kind", ...kinds)],
      {
        minzoom,
        layout: {
          ...text,
          ...alongRoads,
          "text-size": ["interpolate", ["linear"], ["zoom"], 13, 11, 17, 13],
          "symbol-spacing": 320,
        },
        paint: { "text-color": streets.name, "text-halo-color": streets.nameHalo, "text-halo-width": 1.5 },
      },
    );
  return [
    roadNames("minor-names", 15, "minor_road", "path", "other"),
    roadNames("major-names", 12.5, "major_road", "highway"),
    names("numbers", "roads", ["all", ["has", "shield_text"], isOneOf("kind", "highway", "major_road")], {
      minzoom: 8,
      layout: {
        ...alongRoads,
        "text-font": [...fonts],
        "text-field": ["get", "shield_text"],
        "text-size": 11,
        "text-rotation-alignment": "viewport",
        "symbol-spacing": 420,
        "text-padding": 12,
      },
      paint: { "text-color": streets.number, "text-halo-color": streets.numberHalo, "text-halo-width": 2.5 },
    }),
    names("water-names", "water", ["all", ["has", "name"], ["==", ["geometry-type"], "Point"]], {
      minzoom: 11,
      layout: { ...text, "text-size": 12, "text-max-width": 7 },
      paint: { ...paint, "text-color": streets.waterName, "text-halo-color": theme.sea },
    }),
    names("known-places", "pois", ["all", ["has", "name"], isOneOf("kind", ...knownPlaces)], {
      minzoom: 14,
      layout: { ...text, "text-size": 11, "text-max-width": 8 },
      paint,
    }),
    names("quarters", "places", isOneOf("kind", "neighbourhood", "macrohood", "borough"), {
      minzoom: 11,
      maxzoom: 16,
      layout: {
        ...text,
        "text-size": ["interpolate", ["linear"], ["zoom"], 11, 11, 15, 14],
        "text-letter-spacing": 0.08,
        "text-max-width": 7,
        "text-padding": 6,
      },
      paint: { ...paint, "text-opacity": 0.85 },
    }),
    names("places", "places", isOneOf("kind", "locality"), {
      maxzoom: 14,
      layout: {
        ...text,
        "symbol-sort-key": largestFirst,
        "text-size": ["interpolate", ["linear"], ["zoom"], 5, bySize(9, 13), 9, bySize(11, 18), 13, bySize(14, 26)],
        "text-max-width": 8,
        "text-padding": 4,
      },
      paint,
    }),
    names("countries", "places", isOneOf("kind", "country", "region"), {
      maxzoom: 8,
      layout: { ...text, "text-size": 12, "text-letter-spacing": 0.12, "text-max-width": 7 },
      paint: { ...paint, "text-opacity": 0.7 },
    }),
  ];
}
