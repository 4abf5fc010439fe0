import { useEffect, useMemo, useRef } from "react";
import type { Position, Trip } from "../api/records.ts";
import { BaseMapNote } from "../map/base-map-note.tsx";
import { showAll } from "../map/bounds.ts";
import { NoMap } from "../map/no-map.tsx";
import { useBaseMap } from "../map/use-base-map.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Stop } from "./day.ts";
import { addRouteLayers, showCurrent, showRoute } from "./route-layers.ts";
import { pointOf } from "./route-shapes.ts";

interface RouteMapProps {
  readonly track: readonly Position[];
  readonly rejected: readonly Position[];
  readonly stops: readonly Stop[];
  readonly current: Position | null;
  /** The moment that was asked for, and where the vehicle was then; null: none. */
  readonly moment: number | null;
  readonly asked: Position | null;
  readonly focusedTrip: Trip | null;
}

const closestZoom = 15;

export default function RouteMap(props: RouteMapProps) {
  const { track, rejected, stops, current, moment, asked, focusedTrip } = props;
  const { playback: words } = useTexts();
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
    if (ready) showRoute(ready.map, { track, rejected, stops, focused: focusedTrack ?? [] });
  }, [ready, track, rejected, stops, focusedTrack]);
  const latest = useRef({ track, focusedTrack, asked });
  latest.current = { track, focusedTrack, asked };
  const focusedId = focusedTrip?.trip_id ?? null;
  // A day that grows does not move the map under somebody who looks at a part of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another moment is shown where it was
  useEffect(() => {
    if (!ready) return;
    const place = focusedId === null && latest.current.asked ? pointOf(latest.current.asked) : null;
    if (place) ready.map.jumpTo({ center: place, zoom: closestZoom });
    else showAll(ready.map, latest.current.focusedTrack ?? latest.current.track, closestZoom);
  }, [ready, focusedId, moment]);
  useEffect(() => {
    if (ready) showCurrent(ready.map, current);
  }, [ready, current]);
  if (isUnsupported) return <NoMap>{words.shownWithoutMap}</NoMap>;
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
