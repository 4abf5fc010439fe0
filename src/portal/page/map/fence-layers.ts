import type { GeoJSONSource, Map as GlMap } from "maplibre-gl";
import type { Geofence } from "../api/records.ts";
import { fenceFeatures } from "./fence-shapes.ts";
import type { MapTheme } from "./map-theme.ts";
import { mapFonts } from "./world-style.ts";

const source = "fences";

/** A line that is as wide as the corridor on the ground: twice the pixels with every step of the zoom. */
const corridorWidth = [
  "interpolate",
  ["exponential", 2],
  ["zoom"],
  0,
  ["get", "pixelsAtZoom0"],
  22,
  ["*", ["get", "pixelsAtZoom0"], 2 ** 22],
];

export function addFenceLayers(map: GlMap, theme: MapTheme): void {
  map.addSource(source, { type: "geojson", data: fenceFeatures([]) });
  // The owner's colour, if it is one that a browser knows.
  const colour = ["to-color", ["get", "color"], theme.accent] as never;
  const isArea = ["==", ["geometry-type"], "Polygon"] as never;
  const isCorridor = ["==", ["geometry-type"], "LineString"] as never;
  map.addLayer({
    id: "fence-areas",
    type: "fill",
    source,
    filter: isArea,
    paint: { "fill-color": colour, "fill-opacity": 0.1 },
  });
  map.addLayer({
    id: "fence-corridors",
    type: "line",
    source,
    filter: isCorridor,
    layout: { "line-cap": "round", "line-join": "round" },
    paint: { "line-color": colour, "line-opacity": 0.12, "line-width": corridorWidth as never },
  });
  map.addLayer({
    id: "fence-edges",
    type: "line",
    source,
    paint: { "line-color": colour, "line-width": 1.5, "line-dasharray": [3, 2], "line-opacity": 0.8 },
  });
  map.addLayer({
    id: "fence-names",
    type: "symbol",
    source,
    minzoom: 9,
    layout: { "text-field": ["get", "name"], "text-font": mapFonts, "text-size": 12 },
    paint: { "text-color": theme.accent, "text-halo-color": theme.halo, "text-halo-width": 1.5 },
  });
}

export function showFences(map: GlMap, fences: readonly Geofence[]): void {
  map.getSource<GeoJSONSource>(source)?.setData(fenceFeatures(fences));
}
