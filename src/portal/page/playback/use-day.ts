import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Window } from "../../both-sides/periods/days.ts";
import { ChangeFeed } from "../api/change-feed.ts";
import { useLoad } from "../common/loading/use-load.ts";
import { type DayChange, dayTypes, loadDay, withDayChanges } from "./load-day.ts";

/** A day of a vehicle. One that is not over yet grows while it is shown; an earlier one changes when late frames arrive. */
export function useDay(deviceId: string, window: Window) {
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
