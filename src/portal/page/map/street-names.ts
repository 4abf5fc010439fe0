import type { SymbolLayerSpecification } from "maplibre-gl";
import type { MapTheme } from "./map-theme.ts";

/** A name in the reader's language, where the map has one. */
const nameIn = (language: string) => ["coalesce", ["get", `name:${language}`], ["get", "name"]] as never;

const oneOf = (field: string, ...values: string[]) => ["in", ["get", field], ["literal", values]];

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
export function streetNameLayers(source: string, theme: MapTheme, language: string): SymbolLayerSpecification[] {
  const { streets, fonts, label, land } = theme;
  const name = nameIn(language);
  const text = { "text-font": [...fonts], "text-field": name };
  const paint = { "text-color": label, "text-halo-color": land, "text-halo-width": 1.5 };
  const alongRoads = { "symbol-placement": "line", "text-pitch-alignment": "viewport" } as const;
  const roadNames = (id: string, minzoom: number, filter: unknown): SymbolLayerSpecification => ({
    id,
    type: "symbol",
    source,
    "source-layer": "roads",
    minzoom,
    // A number has its own sign.
    filter: ["all", ["has", "name"], ["!=", ["get", "name"], ["get", "shield_text"]], filter] as never,
    layout: {
      ...text,
      ...alongRoads,
      "text-size": ["interpolate", ["linear"], ["zoom"], 13, 11, 17, 13],
      "symbol-spacing": 320,
    },
    paint: { "text-color": streets.name, "text-halo-color": streets.nameHalo, "text-halo-width": 1.5 },
  });
  return [
    roadNames("street-minor-names", 15, oneOf("kind", "minor_road", "path", "other")),
    roadNames("street-major-names", 12.5, oneOf("kind", "major_road", "highway")),
    {
      id: "street-numbers",
      type: "symbol",
      source,
      "source-layer": "roads",
      minzoom: 8,
      filter: ["all", ["has", "shield_text"], oneOf("kind", "highway", "major_road")] as never,
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
    },
    {
      id: "street-water-names",
      type: "symbol",
      source,
      "source-layer": "water",
      minzoom: 11,
      filter: ["all", ["has", "name"], ["==", ["geometry-type"], "Point"]] as never,
      layout: { ...text, "text-size": 12, "text-max-width": 7 },
      paint: { ...paint, "text-color": streets.waterName, "text-halo-color": theme.sea },
    },
    {
      id: "street-known-places",
      type: "symbol",
      source,
      "source-layer": "pois",
      minzoom: 14,
      filter: ["all", ["has", "name"], oneOf("kind", ...knownPlaces)] as never,
      layout: { ...text, "text-size": 11, "text-max-width": 8 },
      paint,
    },
    {
      id: "street-quarters",
      type: "symbol",
      source,
      "source-layer": "places",
      minzoom: 11,
      maxzoom: 16,
      filter: oneOf("kind", "neighbourhood", "macrohood", "borough") as never,
      layout: {
        ...text,
        "text-size": ["interpolate", ["linear"], ["zoom"], 11, 11, 15, 14],
        "text-letter-spacing": 0.08,
        "text-max-width": 7,
        "text-padding": 6,
      },
      paint: { ...paint, "text-opacity": 0.85 },
    },
    {
      id: "street-places",
      type: "symbol",
      source,
      "source-layer": "places",
      maxzoom: 14,
      filter: oneOf("kind", "locality") as never,
      layout: {
        ...text,
        "symbol-sort-key": largestFirst,
        "text-size": ["interpolate", ["linear"], ["zoom"], 5, bySize(9, 13), 9, bySize(11, 18), 13, bySize(14, 26)],
        "text-max-width": 8,
        "text-padding": 4,
      },
      paint,
    },
    {
      id: "street-countries",
      type: "symbol",
      source,
      "source-layer": "places",
      maxzoom: 8,
      filter: oneOf("kind", "country", "region") as never,
      layout: { ...text, "text-size": 12, "text-letter-spacing": 0.12, "text-max-width": 7 },
      paint: { ...paint, "text-opacity": 0.7 },
    },
  ];
}
