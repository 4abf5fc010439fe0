import type { FillLayerSpecification, LayerSpecification, LineLayerSpecification } from "maplibre-gl";
import type { MapTheme } from "./map-theme.ts";

const oneOf = (...kinds: string[]) => ["in", ["get", "kind"], ["literal", kinds]];

const green = [
  ...["park", "forest", "wood", "grass", "grassland", "scrub", "nature_reserve", "protected_area", "national_park"],
  ...["cemetery", "golf_course", "allotments", "village_green", "playground", "garden", "recreation_ground", "meadow"],
];
const built = ["residential", "urban_area", "neighbourhood"];
const works = ["industrial", "commercial", "railway", "military", "naval_base", "airfield"];
const publicSites = ["hospital", "school", "university", "college", "stadium", "zoo"];

/** Land, water, and what the land is used for: calm, so that streets and vehicles stand out. */
export function areaLayers(source: string, theme: MapTheme): LayerSpecification[] {
  const { streets, land, sea, border } = theme;
  const fill = (
    id: string,
    sourceLayer: string,
    filter: unknown,
    colour: string,
    minzoom = 0,
  ): FillLayerSpecification => ({
    id: `street-${id}`,
    type: "fill",
    source,
    "source-layer": sourceLayer,
    minzoom,
    filter: ["all", ["==", ["geometry-type"], "Polygon"], filter] as never,
    paint: { "fill-color": colour },
  });
  const line = (
    id: string,
    sourceLayer: string,
    filter: unknown,
    paint: NonNullable<LineLayerSpecification["paint"]>,
  ): LineLayerSpecification => ({
    id: `street-${id}`,
    type: "line",
    source,
    "source-layer": sourceLayer,
    filter: filter as never,
    paint,
  });
  return [
    fill("earth", "earth", true, land),
    fill("built", "landuse", oneOf(...built), streets.built),
    fill("green", "landuse", oneOf(...green), streets.green, 7),
    fill("works", "landuse", oneOf(...works), streets.works, 10),
    fill("public-sites", "landuse", oneOf(...publicSites), streets.built, 12),
    fill("airports", "landuse", oneOf("aerodrome"), streets.airport, 9),
    fill("runway-areas", "landuse", oneOf("runway", "taxiway"), streets.runway, 11),
    fill("water", "water", true, sea),
    line("rivers", "water", ["all", ["==", ["geometry-type"], "LineString"], oneOf("river", "canal", "stream")], {
      "line-color": sea,
      "line-width": ["interpolate", ["exponential", 1.6], ["zoom"], 8, 0.5, 13, 2, 18, 12],
    }),
    fill("buildings", "buildings", oneOf("building", "building_part"), streets.building, 14),
    line("boundaries", "boundaries", ["<=", ["coalesce", ["get", "kind_detail"], 2], 4], {
      "line-color": border,
      "line-width": 1,
      "line-dasharray": [3, 2],
    }),
  ];
}
