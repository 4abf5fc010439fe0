import type {
  FillLayerSpecification,
  FilterSpecification,
  LayerSpecification,
  LineLayerSpecification,
} from "maplibre-gl";
import type { MapTheme } from "./map-theme.ts";

export const isOneOf = (field: string, ...values: string[]) => ["in", ["get", field], ["literal", values]] as never;

const isKind = (...kinds: string[]) => isOneOf("kind", ...kinds);
const isDetail = (...details: string[]) => isOneOf("kind_detail", ...details);

const green = [
  ...["park", "forest", "wood", "grass", "grassland", "scrub", "nature_reserve", "protected_area", "national_park"],
  ...["cemetery", "golf_course", "allotments", "village_green", "playground", "garden", "recreation_ground", "meadow"],
];
const built = ["residential", "urban_area", "neighbourhood"];
const works = ["industrial", "commercial", "railway", "military", "naval_base", "airfield"];
const publicSites = ["hospital", "school", "university", "college", "stadium", "zoo"];

/** Land, water, and what the land is used for: calm, so that streets and vehicles stand out. */
export function areaLayers(source: string, { streets, land, sea, border }: MapTheme): LayerSpecification[] {
  const fill = (
    id: string,
    sourceLayer: string,
    filter: FilterSpecification,
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
  return [
    fill("earth", "earth", true, land),
    fill("built", "landuse", isKind(...built), streets.built),
    fill("green", "landuse", isKind(...green), streets.green, 7),
    fill("works", "landuse", isKind(...works), streets.works, 10),
    fill("public-sites", "landuse", isKind(...publicSites), streets.built, 12),
    fill("airports", "landuse", isKind("aerodrome"), streets.airport, 9),
    fill("runway-areas", "landuse", isKind("runway", "taxiway"), streets.runway, 11),
    fill("water", "water", true, sea),
    {
      id: "street-rivers",
      type: "line",
      source,
      "source-layer": "water",
      filter: ["all", ["==", ["geometry-type"], "LineString"], isKind("river", "canal", "stream")],
      paint: { "line-color": sea, "line-width": growing({ 8: 0.5, 13: 2, 18: 12 }) },
    },
    fill("buildings", "buildings", isKind("building", "building_part"), streets.building, 14),
    {
      id: "street-boundaries",
      type: "line",
      source,
      "source-layer": "boundaries",
      filter: ["<=", ["coalesce", ["get", "kind_detail"], 2], 4],
      paint: { "line-color": border, "line-width": 1, "line-dasharray": [3, 2] },
    },
  ];
}

type LinePaint = NonNullable<LineLayerSpecification["paint"]>;

type Widths = Readonly<Record<number, number>>;

type Street = keyof MapTheme["streets"];

/** `widths` begins at the zoom from which on it is drawn. Its edge is wider by `edgePixels` on each side. */
type RoadClass = readonly [id: string, filter: FilterSpecification, widths: Widths, edgePixels: number, colour: Street];

const isMinor = isKind("minor_road");
const isMajor = isKind("major_road");
const isService = isDetail("service");
const isPrimary = isDetail("trunk", "primary");

/** The kinds of roads. Those that come first are drawn below the others. */
const classes: readonly RoadClass[] = [
  ["service", ["all", isMinor, isService], { 13: 0.5, 15: 2, 18: 10 }, 0.75, "minor"],
  ["minor", ["all", isMinor, ["!", isService]], { 11: 0.4, 13: 1.5, 15: 4.5, 18: 18 }, 0.75, "minor"],
  ["secondary", ["all", isMajor, ["!", isPrimary]], { 6: 0.3, 9: 1, 12: 2.2, 15: 6.5, 18: 22 }, 0.8, "major"],
  ["primary", ["all", isMajor, isPrimary], { 6: 0.5, 9: 1.4, 12: 3, 15: 8, 18: 25 }, 0.9, "major"],
  ["highway", isKind("highway"), { 3: 0.4, 6: 1.1, 9: 2.2, 12: 4, 15: 10, 18: 28 }, 1, "highway"],
];

/** What runs below the ground is paler. */
const opacity = ["case", ["has", "is_tunnel"], 0.45, 1] as never;

/** All edges first, then the roads: so streets that meet are open to each other. */
export function roadLayers(source: string, { streets }: MapTheme): LineLayerSpecification[] {
  const line = (id: string, filter: FilterSpecification, minzoom: number, paint: LinePaint) =>
    ({ id: `street-${id}`, type: "line", source, "source-layer": "roads", filter, minzoom, paint }) as const;
  const road = (id: string, filter: FilterSpecification, minzoom: number, colour: Street, width: never) => ({
    ...line(id, filter, minzoom, { "line-color": streets[colour], "line-width": width, "line-opacity": opacity }),
    layout: { "line-cap": "round", "line-join": "round" } as const,
  });
  const edgeOf = (colour: Street) => (colour === "highway" ? "highwayEdge" : "edge");
  return [
    line("runways", isDetail("runway", "taxiway"), 9, {
      "line-color": streets.runway,
      "line-width": growing({ 9: 0.5, 13: 8, 18: 60 }),
    }),
    line("paths", isKind("path", "other"), 15, {
      "line-color": streets.edge,
      "line-width": 1,
      "line-dasharray": [3, 2],
    }),
    ...classes.map(([id, filter, widths, edgePixels, colour]) =>
      road(`${id}-edge`, filter, firstZoom(widths) + 1, edgeOf(colour), growing(widths, 2 * edgePixels)),
    ),
    ...classes.map(([id, filter, widths, , colour]) => road(id, filter, firstZoom(widths), colour, growing(widths))),
    line("rails", isKind("rail"), 10, {
      "line-color": streets.rail,
      "line-width": ["interpolate", ["linear"], ["zoom"], 10, 0.6, 16, 2],
    }),
  ];
}

/** Between two zooms a road or a river grows like the map under it. */
function growing(widths: Widths, morePixels = 0): never {
  const stops = Object.entries(widths).flatMap(([zoom, pixels]) => [Number(zoom), pixels + morePixels]);
  return ["interpolate", ["exponential", 1.6], ["zoom"], ...stops] as never;
}

function firstZoom(widths: Widths): number {
  return Math.min(...Object.keys(widths).map(Number));
}
