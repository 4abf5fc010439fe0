import type { GeoJSONSource, Map as GlMap } from "maplibre-gl";
import type { MapTheme } from "./map-theme.ts";
import { type TrailPoint, trailLines } from "./trail.ts";

const source = "trail";

/** Fades towards where the vehicle was an hour ago. */
export function addTrailLayer(map: GlMap, theme: MapTheme): void {
  map.addSource(source, { type: "geojson", lineMetrics: true, data: trailLines([]) });
  const fading = ["interpolate", ["linear"], ["line-progress"], 0, transparent(theme.route), 0.25, theme.route];
  map.addLayer({
    id: "trail-casing",
    type: "line",
    source,
    layout: { "line-cap": "round", "line-join": "round" },
    paint: { "line-width": 7, "line-color": theme.halo, "line-opacity": 0.6 },
  });
  map.addLayer({
    id: "trail",
    type: "line",
    source,
    layout: { "line-cap": "round", "line-join": "round" },
    paint: { "line-width": 4, "line-gradient": fading as never },
  });
}

export function showTrail(map: GlMap, points: readonly TrailPoint[]): void {
  map.getSource<GeoJSONSource>(source)?.setData(trailLines(points));
}

function transparent(colour: string): string {
  return `${colour}33`;
}
