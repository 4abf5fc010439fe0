import type { GeoJSONSource, Map as GlMap, LineLayerSpecification, StyleSpecification } from "maplibre-gl";
import worldUrl from "world-atlas/countries-50m.json" with { type: "file" };
import { type PackedWorld, unpackWorld, type WorldMap } from "../../../both-sides/packed-world.ts";
import { collection } from "./features.ts";
import type { MapTheme } from "./map-theme.ts";

const worldSource = "world";

const townSource = "towns";
/** The last zoom that the server has tiles of. Nearer, they are drawn larger. */
const maxTownZoom = 10;

/** Lines and areas go below this layer, so that names of places stay readable. */
export const lowestNames = "town-dots";

export const townLayers: readonly string[] = ["cities-near", lowestNames, "towns"];

/** From this zoom on a city is larger than its name, which is then drawn inside it, behind everything. */
const nearZoom = 8;
const cityPeople = 200_000;
const isNearCity = ["all", [">=", ["zoom"], nearZoom], [">=", ["get", "people"], cityPeople]] as never;
const anchorsAroundCentre = [
  ...["center", [0, 0], "bottom", [0, -1.5], "top", [0, 1.5], "left", [2, 0], "right", [-2, 0]],
  ...["top-right", [-1, 4.5], "top-left", [1, 4.5], "bottom-right", [-1, -4.5], "bottom-left", [1, -4.5]],
] as never;

/** The layers of lines for every degree and its parts, and the zoom from which on the first are not too dense. */
export const fineGrids: readonly string[] = ["grid", "grid-10", "grid-100"];
const fineGridZoom = 4.5;

/** From small towns to those with millions. */
const bySize = (small: number, large: number) =>
  ["interpolate", ["linear"], ["log10", ["max", 1000, ["get", "people"]]], 3, small, 6.5, large] as never;

const isKind = (kind: "land" | "border") => ["==", ["get", "kind"], kind] as never;
/** The map that comes with the program: calm, and enough to see where in the world a vehicle is. */
export function worldStyle(theme: MapTheme, worldMakers: string, townMakers: string): StyleSpecification {
  const gridLine = { "line-color": theme.grid, "line-width": 0.75 };
  return {
    version: 8,
    sources: {
      // Its data is added when it has come.
      [worldSource]: { type: "geojson", data: collection([]), maxzoom: 10, attribution: worldMakers },
      grid: { type: "geojson", data: graticule(1), maxzoom: 10 },
      [townSource]: {
        type: "vector",
        tiles: [`${location.origin}/portal/tiles/towns/{z}/{x}/{y}`],
        maxzoom: maxTownZoom,
        attribution: townCredit(townMakers),
      },
      "wide-grid": { type: "geojson", data: graticule(10), maxzoom: 4 },
    },
    layers: [
      { id: "sea", type: "background", paint: { "background-color": theme.sea } },
      { id: "land", type: "fill", source: worldSource, filter: isKind("land"), paint: { "fill-color": theme.land } },
      { id: "grid", type: "line", source: "grid", minzoom: fineGridZoom, paint: gridLine },
      partGrid(10, 8.5, gridLine),
      partGrid(100, 12, gridLine),
      { id: "wide-grid", type: "line", source: "wide-grid", maxzoom: fineGridZoom, paint: gridLine },
      {
        id: "coast",
        type: "line",
        source: worldSource,
        filter: isKind("land"),
        paint: { "line-color": theme.border, "line-width": ["interpolate", ["linear"], ["zoom"], 2, 0.5, 8, 1.25] },
      },
      {
        id: "borders",
        type: "line",
        source: worldSource,
        filter: isKind("border"),
        paint: { "line-color": theme.border, "line-width": 1, "line-dasharray": [3, 2] },
      },
      {
        id: "cities-near",
        type: "symbol",
        source: townSource,
        "source-layer": "towns",
        filter: isNearCity,
        minzoom: nearZoom,
        layout: {
          "text-field": ["get", "name"],
          "text-font": [...theme.fonts],
          "text-size": ["interpolate", ["linear"], ["zoom"], nearZoom, bySize(13, 17), 13, bySize(20, 30)],
          "text-letter-spacing": 0.14,
          "text-variable-anchor-offset": anchorsAroundCentre,
          // If vehicles and fences leave no room, the name is drawn under them.
          "text-allow-overlap": true,
          "text-ignore-placement": true,
        },
        paint: { "text-color": theme.label, "text-opacity": 0.6 },
      },
      {
        id: lowestNames,
        type: "circle",
        source: townSource,
        "source-layer": "towns",
        filter: ["!", isNearCity],
        minzoom: 3,
        maxzoom: 13,
        paint: { "circle-radius": bySize(1.5, 2.5), "circle-color": theme.label, "circle-opacity": 0.7 },
      },
      {
        id: "towns",
        type: "symbol",
        source: townSource,
        "source-layer": "towns",
        filter: ["!", isNearCity],
        minzoom: 3,
        layout: {
          "symbol-sort-key": ["-", ["get", "people"]],
          "text-field": ["get", "name"],
          "text-font": [...theme.fonts],
          "text-size": ["interpolate", ["linear"], ["zoom"], 3, bySize(9, 11), 9, bySize(11, 17), 14, bySize(15, 26)],
          "text-variable-anchor": ["left", "right", "top", "bottom"],
          "text-radial-offset": 0.5,
          "text-justify": "auto",
          "text-padding": 4,
        },
        paint: { "text-color": theme.label, "text-halo-color": theme.land, "text-halo-width": 1.5 },
      },
    ],
  };
}

/** Whoever reads where a vehicle is reads names of GeoNames, whatever map is shown. */
export function townCredit(townMakers: string): string {
  return `<a href="https://www.geonames.org" target="_blank" rel="noreferrer">${townMakers}</a>`;
}

/** So many lines to a degree, which come with the towns. */
function partGrid(
  perDegree: number,
  minzoom: number,
  paint: NonNullable<LineLayerSpecification["paint"]>,
): LineLayerSpecification {
  const filter = ["==", ["get", "grid"], perDegree] as never;
  return { id: `grid-${perDegree}`, type: "line", source: townSource, "source-layer": "grid", filter, minzoom, paint };
}

/** Lines of longitude and latitude: on plain land they show distances. */
function graticule(step: number): GeoJSON.MultiLineString {
  const degrees = (from: number, to: number) =>
    Array.from({ length: (to - from) / step + 1 }, (_, index) => from + index * step);
  const meridians = degrees(-180, 180 - step).map((longitude) => [-85, 85].map((latitude) => [longitude, latitude]));
  const parallels = degrees(-80, 80).map((latitude) => [-180, 180].map((longitude) => [longitude, latitude]));
  return { type: "MultiLineString", coordinates: [...meridians, ...parallels] };
}

let loading: Promise<WorldMap> | null = null;

function loadWorld(): Promise<WorldMap> {
  loading ??= fetch(worldUrl)
    .then((answer) => answer.json())
    .then((packed: PackedWorld) => unpackWorld(packed))
    .catch((cause) => {
      // The next map tries again.
      loading = null;
      throw cause;
    });
  return loading;
}

/** Draws coasts and borders, if the style has them. The streets need not wait for it. */
export async function showWorld(map: GlMap, isCurrent: () => boolean): Promise<void> {
  if (!map.getSource(worldSource)) return;
  const world = await loadWorld().catch(() => null);
  if (world && isCurrent()) map.getSource<GeoJSONSource>(worldSource)?.setData(world);
}
