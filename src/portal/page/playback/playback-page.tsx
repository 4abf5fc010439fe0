import { useCallback, useMemo } from "react";
import { useClock } from "../common/clock.ts";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { Link, navigate } from "../common/route.tsx";
import { useHeading } from "../common/use-heading.ts";
import { useLoad } from "../common/use-load.ts";
import { dayOf, dayWindow, isDay, shiftDay } from "./day.ts";
import { DayPicker } from "./day-picker.tsx";
import { DayView } from "./day-view.tsx";
import { loadDay } from "./load-day.ts";

interface PlaybackProps {
  readonly deviceId: string;
  /** `2026-11-14`; null for today. */
  readonly day: string | null;
  /** The moment to begin with: an instant of the API; null for the first trip. */
  readonly at: string | null;
}

/** One vehicle's day, from midnight to midnight. */
export default function PlaybackPage({ deviceId, day }: PlaybackProps) {
  const isUtc = useClock() === "utc";
  const today = dayOf(Date.now(), isUtc);
  const shownDay = day !== null && isDay(day) ? day : today;
  const window = useMemo(() => dayWindow(shownDay, isUtc), [shownDay, isUtc]);
  const load = useCallback((signal: AbortSignal) => loadDay(deviceId, window, signal), [deviceId, window]);
  const { loaded, reload } = useLoad(load);
  const name = loaded.data?.device.name ?? "Vehicle";
  const heading = useHeading(name);
  const goTo = (to: string) => navigate(`/map/${deviceId}?day=${to}`, { replace: true });
  return (
    <div className="playback">
      <header className="playback-head">
        <div>
          <p className="crumbs">
            <Link to={`/map?vehicle=${deviceId}`}>Map</Link> <span aria-hidden="true">/</span> Playback
          </p>
          <h1 ref={heading} tabIndex={-1}>
            {name}
            {loaded.data?.device.plate && <span className="plate">{loaded.data.device.plate}</span>}
          </h1>
        </div>
        <DayPicker day={shownDay} latest={today} onPick={goTo} />
      </header>
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.state === "loading" && <LoadingState label="Loading the day" />}
      {loaded.state === "ready" && loaded.data.frames.length === 0 && (
        <EmptyState icon="road" title="Nothing was reported on this day">
          <p>The tracker sent no frame. Choose another day, or go back one.</p>
          <button type="button" className="button" onClick={() => goTo(shiftDay(shownDay, -1))}>
            The day before
          </button>
        </EmptyState>
      )}
      {loaded.state === "ready" && loaded.data.frames.length > 0 && (
        <DayView key={`${shownDay} ${isUtc}`} day={loaded.data} window={window} />
      )}
    </div>
  );
}
