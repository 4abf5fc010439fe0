import type { Map as GlMap } from "maplibre-gl";
import type { Position } from "../api/records.ts";
import { markName } from "../map/layers/marks.ts";
import { drivenLines, pointOf, pointsOf } from "../map/layers/trail.ts";
import { collection, lineFeature, pointFeature, showFeatures } from "../map/style/features.ts";
import type { MapTheme } from "../map/style/map-theme.ts";
import { lowestNames } from "../map/style/world-style.ts";
import type { Stop } from "./day.ts";

export interface Route {
  readonly track: readonly Position[];
  readonly rejected: readonly Position[];
  readonly stops: readonly Stop[];
  /** The selected part of the track. */
  readonly focused: readonly Position[];
}

const sources = ["route", "focused", "stops", "rejected", "current"] as const;

export function addRouteLayers(map: GlMap, theme: MapTheme): void {
  for (const source of sources) map.addSource(source, { type: "geojson", data: collection([]) });
  const round = { "line-cap": "round", "line-join": "round" } as const;
  const line = (id: string, source: string, color: string, width: number, opacity = 1) =>
    map.addLayer(
      {
        id,
        type: "line",
        source,
        layout: round,
        paint: { "line-color": color, "line-width": width, "line-opacity": opacity },
      },
      // A style of the settings has no such layer.
      map.getLayer(lowestNames) && lowestNames,
    );
  line("route-casing", "route", theme.halo, 7);
  line("route", "route", theme.route, 3.5, 0.85);
  line("focused-casing", "focused", theme.halo, 9);
  line("focused", "focused", theme.motion.idling, 5);
  map.addLayer({
    id: "stops",
    type: "circle",
    source: "stops",
    paint: {
      "circle-radius": 7,
      "circle-color": theme.halo,
      "circle-stroke-color": theme.motion.stopped,
      "circle-stroke-width": 3.5,
    },
  });
  const mark = { "icon-allow-overlap": true, "icon-ignore-placement": true } as const;
  map.addLayer({
    id: "rejected",
    type: "symbol",
    source: "rejected",
    layout: { ...mark, "icon-image": markName(theme, "rejected"), "icon-size": 0.7 },
  });
  map.addLayer({
    id: "current",
    type: "symbol",
    source: "current",
    layout: {
      ...mark,
      "icon-image": ["concat", markName(theme, ""), ["get", "motion"]],
      "icon-size": 1.35,
      "icon-rotate": ["get", "turn"],
      "icon-rotation-alignment": "map",
    },
  });
}

export function showRoute(map: GlMap, { track, rejected, stops, focused }: Route): void {
  const shown = {
    route: drivenLines(track).map((line) => lineFeature(line)),
    focused: focused.length > 1 ? [lineFeature(pointsOf(focused))] : [],
    stops: pointsOf(stops).map((point) => pointFeature(point)),
    rejected: pointsOf(rejected).map((point) => pointFeature(point)),
  };
  for (const [source, features] of Object.entries(shown)) showFeatures(map, source, features);
}

export function showCurrent(map: GlMap, current: Position | null): void {
  const point = current && pointOf(current);
  const isMoving = (current?.speed_kmh ?? 0) > 0;
  const motion = isMoving ? "moving" : current?.ignition ? "idling" : "stopped";
  const turn = isMoving ? (current?.heading_deg ?? 0) : 0;
  showFeatures(map, "current", point ? [pointFeature(point, { motion, turn })] : []);
}
