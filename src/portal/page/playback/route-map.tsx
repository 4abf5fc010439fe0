import type { Map as GlMap } from "maplibre-gl";
import { useEffect, useMemo, useRef } from "react";
import type { Position, Trip } from "../../both-sides/contract/data.ts";
import { addFenceLayers, showFences } from "../map/layers/fence-layers.ts";
import { markName } from "../map/layers/marks.ts";
import { drivenLines, pointsOf, trailPoint } from "../map/layers/trail.ts";
import { useBaseMap, useCloseZoom } from "../map/layers/use-base-map.ts";
import { showAll } from "../map/layers/use-camera.ts";
import { MapFrame } from "../map/map-frame.tsx";
import { collection, lineFeature, pointFeature, showFeatures } from "../map/style/features.ts";
import type { MapTheme } from "../map/style/map-theme.ts";
import { lowestNames } from "../map/style/world-style.ts";
import { useFences } from "../places/use-fences.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Stop } from "./day.ts";

interface RouteMapProps {
  readonly track: readonly Position[];
  readonly rejected: readonly Position[];
  readonly stops: readonly Stop[];
  readonly current: Position | null;
  /** The wanted moment, and where the vehicle was then; null: none. */
  readonly moment: number | null;
  readonly wanted: Position | null;
  readonly focusedTrip: Trip | null;
}

const closestZoom = 15;

export default function RouteMap(props: RouteMapProps) {
  const { track, rejected, stops, current, moment, wanted, focusedTrip } = props;
  const { playback: words } = useTexts();
  const base = useBaseMap();
  const { ready } = base;
  const focusedTrack = useMemo(
    () => (focusedTrip === null ? null : track.filter((frame) => isWithin(frame, focusedTrip))),
    [track, focusedTrip],
  );
  const zoom = useCloseZoom();
  const fences = useFences();
  useEffect(() => {
    if (!ready) return;
    addFenceLayers(ready.map, ready.theme);
    addRouteLayers(ready.map, ready.theme);
  }, [ready]);
  useEffect(() => {
    if (ready && fences) showFences(ready.map, fences.rows);
  }, [ready, fences]);
  useEffect(() => {
    if (ready) showRoute(ready.map, { track, rejected, stops, focused: focusedTrack ?? [] });
  }, [ready, track, rejected, stops, focusedTrack]);
  const latest = useRef({ track, focusedTrack, wanted, zoom });
  latest.current = { track, focusedTrack, wanted, zoom };
  const focusedId = focusedTrip?.trip_id ?? null;
  // A day that grows does not move the map under a person who looks at a part of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another moment is shown where it was
  useEffect(() => {
    if (!ready) return;
    const { wanted, zoom } = latest.current;
    const place = focusedId === null && wanted ? trailPoint(wanted) : null;
    if (place) ready.map.jumpTo({ center: place, zoom });
    else showAll(ready.map, latest.current.focusedTrack ?? latest.current.track, closestZoom);
  }, [ready, focusedId, moment]);
  useEffect(() => {
    if (ready) showCurrent(ready.map, current);
  }, [ready, current]);
  return <MapFrame base={base} instead={words.shownWithoutMap} />;
}

function isWithin({ recorded_at }: Position, { started_at, ended_at }: Trip): boolean {
  return recorded_at >= started_at && (ended_at === null || recorded_at <= ended_at);
}

export interface DrivenRoute {
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

export function showRoute(map: GlMap, { track, rejected, stops, focused }: DrivenRoute): void {
  const shown = {
    route: drivenLines(track).map((line) => lineFeature(line)),
    focused: focused.length > 1 ? [lineFeature(pointsOf(focused))] : [],
    stops: pointsOf(stops).map((point) => pointFeature(point)),
    rejected: pointsOf(rejected).map((point) => pointFeature(point)),
  };
  for (const [source, features] of Object.entries(shown)) showFeatures(map, source, features);
}

export function showCurrent(map: GlMap, current: Position | null): void {
  const point = current && trailPoint(current);
  const isMoving = (current?.speed_kmh ?? 0) > 0;
  const motion = isMoving ? "moving" : current?.ignition ? "idling" : "stopped";
  const turn = isMoving ? (current?.heading_deg ?? 0) : 0;
  showFeatures(map, "current", point ? [pointFeature(point, { motion, turn })] : []);
}
