import { useEffect, useMemo, useRef } from "react";
import type { Position, Trip } from "../api/records.ts";
import { BaseMapNote } from "../map/base-map-note.tsx";
import { showAll } from "../map/bounds.ts";
import { NoMap } from "../map/no-map.tsx";
import { useBaseMap } from "../map/use-base-map.ts";
import type { Stop } from "./day.ts";
import { addRouteLayers, showCurrent, showRoute } from "./route-layers.ts";

interface RouteMapProps {
  readonly track: readonly Position[];
  readonly rejected: readonly Position[];
  readonly stops: readonly Stop[];
  readonly current: Position | null;
  readonly focusedTrip: Trip | null;
}

const closestZoom = 15;

export default function RouteMap({ track, rejected, stops, current, focusedTrip }: RouteMapProps) {
  const container = useRef<HTMLDivElement>(null);
  const { ready, isUnsupported, problem } = useBaseMap(container);
  const focusedTrack = useMemo(
    () => (focusedTrip === null ? null : track.filter((frame) => isWithin(frame, focusedTrip))),
    [track, focusedTrip],
  );
  useEffect(() => {
    if (ready) addRouteLayers(ready.map, ready.theme);
  }, [ready]);
  useEffect(() => {
    if (!ready) return;
    showRoute(ready.map, { track, rejected, stops, focused: focusedTrack ?? [] });
    showAll(ready.map, focusedTrack ?? track, closestZoom);
  }, [ready, track, rejected, stops, focusedTrack]);
  useEffect(() => {
    if (ready) showCurrent(ready.map, current);
  }, [ready, current]);
  if (isUnsupported) return <NoMap>The trips, the stops and the speed are shown without it.</NoMap>;
  return (
    <>
      <div ref={container} className="map" data-map={ready ? "ready" : "loading"} data-theme={ready?.theme.name} />
      <BaseMapNote problem={problem} />
    </>
  );
}

function isWithin({ recorded_at }: Position, { started_at, ended_at }: Trip): boolean {
  return recorded_at >= started_at && (ended_at === null || recorded_at <= ended_at);
}
