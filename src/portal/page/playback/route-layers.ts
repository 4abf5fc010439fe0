import type { GeoJSONSource, Map as GlMap } from "maplibre-gl";
import type { Position } from "../api/records.ts";
import type { MapTheme } from "../map/map-theme.ts";
import { markName } from "../map/marks.ts";
import { lowestNames } from "../map/world-style.ts";
import type { Stop } from "./day.ts";
import { type Line, lineOf, pointOf, segments } from "./route-shapes.ts";

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
  put(map, "route", segments(track).map(lineFeature));
  put(map, "focused", focused.length > 1 ? [lineFeature(lineOf(focused))] : []);
  put(
    map,
    "stops",
    stops.map(({ longitude, latitude }) => pointFeature([longitude, latitude])),
  );
  put(
    map,
    "rejected",
    rejected.flatMap((frame) => {
      const point = pointOf(frame);
      return point === null ? [] : [pointFeature(point)];
    }),
  );
}

export function showCurrent(map: GlMap, current: Position | null): void {
  const point = current && pointOf(current);
  if (!point) {
    put(map, "current", []);
    return;
  }
  const isMoving = (current.speed_kmh ?? 0) > 0;
  const motion = isMoving ? "moving" : current.ignition ? "idling" : "stopped";
  put(map, "current", [pointFeature(point, { motion, turn: isMoving ? (current.heading_deg ?? 0) : 0 })]);
}

function put(map: GlMap, source: (typeof sources)[number], features: GeoJSON.Feature[]): void {
  map.getSource<GeoJSONSource>(source)?.setData(collection(features));
}

function collection(features: GeoJSON.Feature[]): GeoJSON.FeatureCollection {
  return { type: "FeatureCollection", features };
}

function lineFeature(coordinates: Line): GeoJSON.Feature {
  return { type: "Feature", properties: {}, geometry: { type: "LineString", coordinates } };
}

function pointFeature(coordinates: [number, number], properties: Record<string, unknown> = {}): GeoJSON.Feature {
  return { type: "Feature", properties, geometry: { type: "Point", coordinates } };
}
