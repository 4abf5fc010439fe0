import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { DayWindow } from "../../both-sides/periods/days.ts";
import { dayAt, dayWindow, shiftDay } from "../../both-sides/periods/days.ts";
import { ChangeFeed } from "../api/change-feed.ts";
import { Button, IconButton } from "../common/elements/button.tsx";
import { EmptyState, ErrorNotice, LoadingState } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { useHeading } from "../common/navigation/page-head.tsx";
import { Link, navigate } from "../common/navigation/route.tsx";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";
import { TrackerFaultNotice } from "../tracker-faults/tracker-fault.tsx";
import { TrackerMessageLog } from "../tracker-messages/tracker-messages.tsx";
import { dayToShow, momentOfAddress } from "./day.ts";
import { DayView } from "./day-view.tsx";
import { soughtIn } from "./find-moment.ts";
import { type DayChange, dayTypes, loadDay, withDayChanges } from "./load-day.ts";

interface PlaybackProps {
  readonly deviceId: string;
  /** `2026-11-14`; null for today. */
  readonly day: string | null;
  /** The moment to begin with: an instant of the API; null for the first trip. */
  readonly at: string | null;
  /** What to begin with if the day has it: `speed` or `idling`. */
  readonly find: string | null;
}

/** One vehicle's day, from midnight to midnight where times are shown. */
export default function PlaybackPage({ deviceId, day, at, find }: PlaybackProps) {
  const {
    playback: words,
    common,
    shell,
    show: { zone },
  } = useTexts();
  const { role } = useSession().user;
  const [showsMessages, setShowsMessages] = useState(false);
  const today = dayAt(Date.now(), zone);
  const moment = momentOfAddress(at);
  const sought = soughtIn(find);
  const shownDay = dayToShow({ day, moment, isSearch: sought !== null }, zone) ?? today;
  const window = useMemo(() => dayWindow(shownDay, zone), [shownDay, zone]);
  const { loaded, reload, feedError } = useDay(deviceId, window);
  const name = loaded.data?.device.name ?? common.vehicle;
  const heading = useHeading(name);
  const goTo = (to: string) => navigate(`/map/${deviceId}?day=${to}`, { replace: true });
  return (
    <div className="playback column gap-3">
      <header className="row wrap apart gap-2-4 break">
        <div className="playback-title flex wrap fit">
          <p className="crumbs hint">
            <Link to={`/map?vehicle=${deviceId}`}>{shell.map}</Link> <span aria-hidden="true">/</span> {words.title}
          </p>
          <h1 ref={heading} tabIndex={-1}>
            {name}
            {loaded.data?.device.plate && <span className="plate bold">{loaded.data.device.plate}</span>}
          </h1>
        </div>
        <DayPicker day={shownDay} latest={today} onPick={goTo}>
          {role === "owner" && (
            <Button
              text={words.messages}
              aria-expanded={showsMessages}
              onClick={() => setShowsMessages(!showsMessages)}
            />
          )}
        </DayPicker>
      </header>
      <TrackerFaultNotice deviceId={deviceId} />
      {showsMessages && (
        <section className="card" aria-labelledby="tracker-messages">
          <h2 id="tracker-messages">{words.messages}</h2>
          <TrackerMessageLog deviceId={deviceId} />
        </section>
      )}
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.state === "ready" && shownDay >= today && feedError !== null && <ErrorNotice error={feedError} />}
      {loaded.state === "loading" && <LoadingState label={words.loadingDay} />}
      {loaded.state === "ready" && loaded.data.frames.length === 0 && (
        <EmptyState icon="road" title={words.nothingReported}>
          <p>{words.chooseAnother}</p>
          <Button text={words.dayBefore} onClick={() => goTo(shiftDay(shownDay, -1))} />
        </EmptyState>
      )}
      {loaded.state === "ready" && loaded.data.frames.length > 0 && (
        <DayView
          key={`${shownDay} ${zone}`}
          day={loaded.data}
          window={window}
          at={moment}
          find={sought}
          isLive={shownDay >= today}
        />
      )}
    </div>
  );
}

interface DayPickerProps {
  readonly day: string;
  readonly latest: string;
  readonly onPick: (day: string) => void;
  /** What stands before it. */
  readonly children: ReactNode;
}

function DayPicker({ day, latest, onPick, children }: DayPickerProps) {
  const { playback: words, reports } = useTexts();
  return (
    <div className="day-picker flex wrap gap-2">
      {children}
      <IconButton icon="left" label={words.dayBefore} onClick={() => onPick(shiftDay(day, -1))} />
      <label>
        <span className="visually-hidden">{reports.day}</span>
        <input type="date" value={day} max={latest} onChange={({ target }) => target.value && onPick(target.value)} />
      </label>
      <IconButton
        icon="right"
        label={words.dayAfter}
        disabled={day >= latest}
        onClick={() => onPick(shiftDay(day, 1))}
      />
    </div>
  );
}

/** A day of a vehicle. One that is not over yet grows while it is shown; an earlier one changes when late frames arrive. */
function useDay(deviceId: string, window: DayWindow) {
  const feed = useMemo(() => new ChangeFeed({ types: dayTypes, device_id: deviceId }), [deviceId]);
  const load = useCallback(
    async (signal: AbortSignal) => {
      // What happens after this comes with the feed.
      await feed.begun();
      return loadDay(deviceId, window, signal);
    },
    [deviceId, window, feed],
  );
  const loading = useLoad(load);
  const { loaded, replace, reload } = loading;
  /** Why the day does not grow at the moment. */
  const [feedError, setFeedError] = useState<unknown>(null);
  const latest = useRef(loaded);
  latest.current = loaded;
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    /** What is not shown yet; null: everything must be loaded again. */
    let pending: readonly DayChange[] | null = [];
    let isBusy = false;
    let isLost = false;
    const refresh = async () => {
      const day = latest.current.state === "ready" ? latest.current.data : null;
      const changes = pending;
      if (isBusy || day === null || changes?.length === 0) return;
      isBusy = true;
      pending = [];
      try {
        const next = await (changes === null
          ? loadDay(deviceId, window, signal)
          : withDayChanges(day, changes, window, signal));
        if (!signal.aborted) replace(() => next);
      } catch {
        // The next poll tries again. What is shown stays: it is true, if not new.
        pending = joined(changes, pending);
      }
      isBusy = false;
    };
    const stop = feed.follow({
      onNews(news) {
        pending = joined(pending, news);
        void refresh();
      },
      onError(error) {
        setFeedError(error);
        if (error === null && isLost && latest.current.state === "failed") reload();
        else if (error === null) void refresh();
        isLost = error !== null;
      },
    });
    return () => {
      abort.abort();
      stop();
      setFeedError(null);
    };
  }, [feed, deviceId, window, replace, reload]);
  return { ...loading, feedError };
}

function joined(one: readonly DayChange[] | null, other: readonly DayChange[] | null): readonly DayChange[] | null {
  return one === null || other === null ? null : [...one, ...other];
}
