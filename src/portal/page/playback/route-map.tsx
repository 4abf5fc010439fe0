import { useEffect, useMemo, useRef } from "react";
import type { Position, Trip } from "../api/records.ts";
import { showAll } from "../map/layers/bounds.ts";
import { addFenceLayers, showFences } from "../map/layers/fence-layers.ts";
import { pointOf } from "../map/layers/trail.ts";
import { useBaseMap, useCloseZoom } from "../map/layers/use-base-map.ts";
import { MapFrame } from "../map/map-frame.tsx";
import { useFences } from "../places/use-fences.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Stop } from "./day.ts";
import { addRouteLayers, showCurrent, showRoute } from "./route-layers.ts";

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
  // A day that grows does not move the map under somebody who looks at a part of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another moment is shown where it was
  useEffect(() => {
    if (!ready) return;
    const { wanted, zoom } = latest.current;
    const place = focusedId === null && wanted ? pointOf(wanted) : null;
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
