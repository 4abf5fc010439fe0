import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { LoadingState } from "../common/empty-state.tsx";
import { frameAt, playFrom, stopsBetween, summarise, type Window } from "./day.ts";
import { DayStory } from "./day-story.tsx";
import { DaySummaryRow } from "./day-summary.tsx";
import type { Day } from "./load-day.ts";
import { Player } from "./player.tsx";
import { usePlayer } from "./use-player.ts";

const RouteMap = lazy(() => import("./route-map.tsx"));
const SpeedPlot = lazy(() => import("./speed-plot.tsx"));

export function DayView({ day, window }: { readonly day: Day; readonly window: Window }) {
  const { track, rejected, trips, frames } = day;
  const [focused, setFocused] = useState<string | null>(null);
  const stops = useMemo(() => stopsBetween(trips), [trips]);
  const summary = useMemo(() => summarise(trips, frames), [trips, frames]);
  const begin = Date.parse(track[0]?.recorded_at ?? "") || window.from;
  const end = Date.parse(track.at(-1)?.recorded_at ?? "") || window.to;
  const player = usePlayer({ begin, end, start: playFrom(trips, begin) });
  const current = useMemo(() => frameAt(track, player.at), [track, player.at]);
  const { pause, seek } = player;
  const goTo = useCallback(
    (at: number) => {
      pause();
      seek(at);
    },
    [pause, seek],
  );
  return (
    <>
      <DaySummaryRow summary={summary} trips={trips.length} stops={stops.length} />
      <div className="playback-grid">
        <section className="playback-map" aria-label="Map of the day">
          <Suspense fallback={<LoadingState label="Loading the map" />}>
            <RouteMap
              track={track}
              rejected={rejected}
              stops={stops}
              current={current}
              focusedTrip={trips.find(({ trip_id }) => trip_id === focused) ?? null}
            />
          </Suspense>
        </section>
        <DayStory
          trips={trips}
          stops={stops}
          rejected={rejected}
          focused={focused}
          hasTrack={track.length > 0}
          onFocus={setFocused}
          onGoTo={goTo}
        />
      </div>
      <section className="playback-deck" aria-label="Playback">
        <Player player={player} current={current} begin={begin} end={end} />
        <Suspense fallback={<LoadingState label="Loading the plot" />}>
          <SpeedPlot track={track} rejected={rejected} at={player.at} onSeek={goTo} />
        </Suspense>
      </section>
    </>
  );
}
