import type { GeoJSONSource, Map as GlMap, StyleSpecification } from "maplibre-gl";
import worldUrl from "world-atlas/countries-50m.json" with { type: "file" };
import { type PackedWorld, unpackWorld, type WorldMap } from "../../../both-sides/packed-world.ts";
import { collection } from "./features.ts";
import type { MapTheme } from "./map-theme.ts";

const worldSource = "world";

/** Lines and areas go below this layer, so that names of places stay readable. */
export const lowestNames = "city-dots";

export const cityLayers: readonly string[] = ["city-near", lowestNames, "cities"];

/** The layer of the lines for every degree, and the zoom from which on they are not too dense. */
export const fineGrid = "grid";
const fineGridZoom = 4.5;

/** From this zoom on a city is larger than its name, which is then drawn inside it, behind everything. */
const nearZoom = 8;
const anchorsAroundCentre = [
  ...["center", [0, 0], "bottom", [0, -1.5], "top", [0, 1.5], "left", [2, 0], "right", [-2, 0]],
  ...["top-right", [-1, 4.5], "top-left", [1, 4.5], "bottom-right", [-1, -4.5], "bottom-left", [1, -4.5]],
] as never;

const size = (ofCity: number, ofTown: number) => ["match", ["get", "rank"], 0, ofCity, ofTown] as never;

const isKind = (kind: "land" | "border" | "city") => ["==", ["get", "kind"], kind] as never;
/** Towns are shown from a larger zoom than cities. */
const hasRoom = ["all", isKind("city"), ["any", ["==", ["get", "rank"], 0], [">=", ["zoom"], 6]]] as never;

/** The map that comes with the program: calm, and enough to see where in the world a vehicle is. */
export function worldStyle(theme: MapTheme, attribution: string): StyleSpecification {
  const gridLine = { "line-color": theme.grid, "line-width": 0.75 };
  return {
    version: 8,
    sources: {
      // Its data is added when it has come.
      [worldSource]: { type: "geojson", data: collection([]), maxzoom: 10, attribution },
      grid: { type: "geojson", data: graticule(1), maxzoom: 10 },
      "wide-grid": { type: "geojson", data: graticule(10), maxzoom: 4 },
    },
    layers: [
      { id: "sea", type: "background", paint: { "background-color": theme.sea } },
      { id: "land", type: "fill", source: worldSource, filter: isKind("land"), paint: { "fill-color": theme.land } },
      { id: fineGrid, type: "line", source: "grid", minzoom: fineGridZoom, paint: gridLine },
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
        id: "city-near",
        type: "symbol",
        source: worldSource,
        filter: isKind("city"),
        minzoom: nearZoom,
        layout: {
          "text-field": ["get", "name"],
          "text-font": [...theme.fonts],
          "text-size": ["interpolate", ["linear"], ["zoom"], nearZoom, size(17, 14), 13, size(30, 22)],
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
        source: worldSource,
        minzoom: 3,
        maxzoom: nearZoom,
        filter: hasRoom,
        paint: { "circle-radius": 2, "circle-color": theme.label, "circle-opacity": 0.7 },
      },
      {
        id: "cities",
        type: "symbol",
        source: worldSource,
        minzoom: 3,
        maxzoom: nearZoom,
        filter: hasRoom,
        layout: {
          "symbol-sort-key": ["get", "rank"],
          "text-field": ["get", "name"],
          "text-font": [...theme.fonts],
          "text-size": ["interpolate", ["linear"], ["zoom"], 3, 11, 9, 15],
          "text-variable-anchor": ["left", "right", "top", "bottom"],
          "text-radial-offset": 0.5,
          "text-justify": "auto",
        },
        paint: { "text-color": theme.label, "text-halo-color": theme.land, "text-halo-width": 1.5 },
      },
    ],
  };
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

/** Draws coasts, borders and cities, if the style has them. The streets need not wait for it. */
export async function showWorld(map: GlMap, isCurrent: () => boolean): Promise<void> {
  if (!map.getSource(worldSource)) return;
  const world = await loadWorld().catch(() => null);
  if (world && isCurrent()) map.getSource<GeoJSONSource>(worldSource)?.setData(world);
}
