import type { Map as GlMap } from "maplibre-gl";
import type { Geofence } from "../../../both-sides/contract/data.ts";
import { collection, showFeatures } from "../style/features.ts";
import type { MapTheme } from "../style/map-theme.ts";
import { type DrawnFence, fenceFeatures, fenceNamePoints } from "./fence-shapes.ts";

const source = "fences";
const corridorSource = "fence-corridors";
const namesSource = "fence-names";

/**
 * A corridor may be 10 km wide, and a tile must know of all that reaches into it: 256 pixels at zoom 12 are 5 km even at 60
 * degrees north. Nearer tiles are made from these. For all fences that would be too much to draw.
 */
export const corridorTiling = { maxzoom: 12, buffer: 256 };

/** Where a click finds a fence. */
export const fenceAreaLayers = ["fence-areas", "fence-corridors"];

/** From this zoom on a small circle is drawn with dashes, like all others. */
const dashedZoom = 14;

const pixelsAtZoom0 = ["get", "pixelsAtZoom0"];
/** A line that is as wide as the corridor on the ground: twice the pixels with every step of the zoom. */
export const corridorWidth = [
  ...["interpolate", ["exponential", 2], ["zoom"]],
  ...[0, pixelsAtZoom0, 22, ["*", pixelsAtZoom0, 2 ** 22]],
] as never;

/** Less with every step nearer: a fence that fills the view must not wash out the streets in it. Its edge still shows it. */
const areaOpacity = ["interpolate", ["linear"], ["zoom"], 11, 0.12, 16, 0.03] as never;

export function addFenceLayers(map: GlMap, theme: MapTheme): void {
  map.addSource(source, { type: "geojson", data: collection([]) });
  map.addSource(corridorSource, { type: "geojson", data: collection([]), ...corridorTiling });
  map.addSource(namesSource, { type: "geojson", data: collection([]) });
  // The owner's colour, if it is one that a browser knows.
  const colour = ["to-color", ["get", "color"], theme.accent] as never;
  const isArea = ["==", ["geometry-type"], "Polygon"] as never;
  map.addLayer({
    id: "fence-areas",
    type: "fill",
    source,
    filter: isArea,
    paint: { "fill-color": colour, "fill-opacity": areaOpacity },
  });
  map.addLayer({
    id: "fence-corridors",
    type: "line",
    source: corridorSource,
    layout: { "line-cap": "round", "line-join": "round" },
    paint: { "line-color": colour, "line-opacity": areaOpacity, "line-width": corridorWidth },
  });
  const edge = { "line-color": colour, "line-width": 1.5, "line-opacity": 0.8 };
  map.addLayer({
    id: "fence-edges",
    type: "line",
    source,
    filter: ["any", ["!=", ["get", "isSmall"], true], [">=", ["zoom"], dashedZoom]],
    paint: { ...edge, "line-dasharray": [3, 2] },
  });
  map.addLayer({
    id: "fence-small-edges",
    type: "line",
    source,
    maxzoom: dashedZoom,
    filter: ["==", ["get", "isSmall"], true],
    paint: edge,
  });
  map.addLayer({
    id: "fence-names",
    type: "symbol",
    source: namesSource,
    minzoom: 9,
    layout: {
      "text-field": ["get", "name"],
      "text-font": [...theme.fonts],
      "text-size": 12,
      // Far enough from the point for a mark, and above it, because the mark's own name is below.
      "text-variable-anchor": ["bottom", "left", "right", "top"],
      "text-radial-offset": 1.2,
      "text-justify": "auto",
    },
    paint: { "text-color": theme.accent, "text-halo-color": theme.halo, "text-halo-width": 1.75 },
  });
}

export function showFences(map: GlMap, fences: readonly (DrawnFence & Pick<Geofence, "shape">)[]): void {
  showFeatures(map, source, fenceFeatures(fences));
  showFeatures(map, corridorSource, fenceFeatures(fences.filter(({ shape }) => shape === "corridor")));
  showFeatures(map, namesSource, fenceNamePoints(fences));
}
