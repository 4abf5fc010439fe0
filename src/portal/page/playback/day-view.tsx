import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Position } from "../../both-sides/contract/data.ts";
import type { DayWindow } from "../../both-sides/periods/days.ts";
import { LoadingState } from "../common/loading/notice.tsx";
import { loadable } from "../common/loading/use-load.ts";
import { useAddress } from "../common/navigation/address.ts";
import { useTexts } from "../texts/use-texts.ts";
import { eventAt, frameAt, playFrom, spanOf, stopsBetween, storyOf, summarise } from "./day.ts";
import { DayStory } from "./day-story.tsx";
import { type MomentQuery, momentOf, type Sought } from "./find-moment.ts";
import type { Day } from "./load-day.ts";
import { Player, plotEdgeStyle } from "./player.tsx";
import { usePlayer } from "./use-player.ts";

const RouteMap = loadable(() => import("./route-map.tsx"));
const SpeedPlot = loadable(() => import("./speed-plot.tsx"));

interface DayViewProps extends MomentQuery {
  readonly day: Day;
  readonly window: DayWindow;
  /** Whether the day goes on. */
  readonly isLive: boolean;
}

export function DayView({ day, window, at, find, isLive }: DayViewProps) {
  const { track, rejected, trips, frames, alerts } = day;
  const { playback: words, common, map, reports, show } = useTexts();
  const [focused, setFocused] = useState<string | null>(null);
  const stops = useMemo(() => stopsBetween(trips), [trips]);
  const events = useMemo(() => storyOf(trips, stops, alerts), [trips, stops, alerts]);
  const summary = useMemo(() => summarise(trips, frames), [trips, frames]);
  const { begin, end } = useMemo(() => spanOf(frames, window), [frames, window]);
  const { moment, keep } = useMoment({ at, find }, track, window);
  const player = usePlayer({ begin, end, start: playFrom(trips, begin), moment });
  const current = useMemo(() => frameAt(track, player.at), [track, player.at]);
  const happening = useMemo(() => eventAt(events, player.at), [events, player.at]);
  const wanted = useMemo(() => (moment === null ? null : frameAt(track, moment)), [track, moment]);
  const { pause, seek } = player;
  const goTo = useCallback(
    (at: number) => {
      pause();
      seek(at);
      keep(at);
    },
    [pause, seek, keep],
  );
  const { distanceKm, carriedKm, drivenCount, drivingS, idleS, maxSpeedKmh } = summary;
  const figures: readonly (readonly [term: string, text: string])[] = [
    [
      reports.distance,
      carriedKm > 0
        ? `${show.distance(distanceKm)} (${reports.carried(show.distance(carriedKm))})`
        : show.distance(distanceKm),
    ],
    [reports.tripCount, show.number(drivenCount)],
    [words.stopsBetween, show.number(stops.length)],
    [words.onTheWay, show.duration(drivingS)],
    [words.ofItIdle, show.duration(idleS)],
    [reports.topSpeed, maxSpeedKmh === null ? common.unknown : show.speed(maxSpeedKmh)],
    [words.rejected, show.number(rejected.length)],
  ];
  return (
    <>
      <dl className="figures grid clip panel">
        {figures.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div className="playback-grid grid gap-3">
        <section className="playback-map clip anchor panel" aria-label={words.mapOfDay}>
          <Suspense fallback={<LoadingState label={map.loading} />}>
            <RouteMap
              track={track}
              rejected={rejected}
              stops={stops}
              current={current}
              moment={moment}
              wanted={wanted}
              focusedTrip={trips.find(({ trip_id }) => trip_id === focused) ?? null}
            />
          </Suspense>
        </section>
        <section className="playback-deck grid gap-1 panel pack" aria-label={words.title} style={plotEdgeStyle}>
          <Player
            player={player}
            current={current}
            begin={begin}
            end={end}
            window={window}
            isLive={isLive}
            onRest={keep}
          />
          <Suspense fallback={<LoadingState label={words.loadingPlot} />}>
            <SpeedPlot
              track={track}
              rejected={rejected}
              alerts={alerts}
              begin={begin}
              end={end}
              at={player.at}
              onSeek={goTo}
            />
          </Suspense>
        </section>
        <DayStory
          events={events}
          happening={happening}
          rejected={rejected}
          focused={focused}
          hasTrack={track.length > 0}
          onFocus={setFocused}
          onGoTo={goTo}
        />
      </div>
    </>
  );
}

/** An arrow key that is held moves the slider many times a second; browsers refuse so many changes of the address. */
const settledMs = 200;

/**
 * The moment that the address asks for, null if it asks for none, and a way to keep another one in the address. What is
 * kept so is not asked for: neither player nor map jump to it. A day that grows is not searched again.
 */
function useMoment({ at, find }: MomentQuery, track: readonly Position[], window: DayWindow) {
  const name = nameOf(at, find);
  const kept = useRef<string | null>(null);
  const opened = useRef<{ readonly name: string; readonly moment: number | null } | null>(null);
  if (opened.current === null || (name !== opened.current.name && name !== kept.current)) {
    opened.current = { name, moment: momentOf({ at, find }, track, window) };
  }
  const address = useAddress();
  const latest = useRef(address);
  latest.current = address;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const keep = useCallback((moment: number) => {
    const whole = Math.round(moment);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      kept.current = nameOf(whole, null);
      latest.current.set({ at: new Date(whole).toISOString(), find: null });
    }, settledMs);
  }, []);
  return { moment: opened.current.moment, keep };
}

function nameOf(at: number | null, find: Sought | null): string {
  return `${at} ${find}`;
}
