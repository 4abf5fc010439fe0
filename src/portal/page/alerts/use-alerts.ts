import { useCallback, useEffect, useRef, useState } from "react";
import type { Severity } from "../../both-sides/contract/data.ts";
import { useLoad } from "../common/loading/use-load.ts";
import type { AlertFilter } from "./alert-filter.ts";
import { alertFetcher, type Lanes, noAlertsYet, rowsOfLanes, withChanges, withOlder, withOlderRows } from "./lanes.ts";
import { alertFeed } from "./open-alert-count.tsx";

const nothingArrived: ReadonlySet<string> = new Set();

/** The newest alerts of each severity that match the filter, new ones as they become known, and older ones on request. */
export function useAlerts(
  filter: AlertFilter | null,
  onFailure: (error: unknown) => void,
  onArrived: (count: number) => void,
) {
  const load = useCallback(
    async (signal: AbortSignal): Promise<Lanes> => {
      if (filter === null) return {};
      // The feed brings whatever happens after this.
      await alertFeed.begun();
      const window = { from: filter.from, to: filter.to ?? Date.now() };
      const lanes = filter.severities.map(async (severity) => {
        return [severity, await withOlder(noAlertsYet(window), alertFetcher(filter, severity, signal))] as const;
      });
      return Object.fromEntries(await Promise.all(lanes));
    },
    [filter],
  );
  const loading = useLoad(load);
  const { loaded, replace, reload } = loading;
  /** The severity of which older alerts are being loaded. */
  const [loadingOlder, setLoadingOlder] = useState<Severity | null>(null);
  /** The ids of those that became known since the list was loaded. */
  const [arrived, setArrived] = useState(nothingArrived);
  /** Why new alerts do not appear at the moment. */
  const [feedError, setFeedError] = useState<unknown>(null);
  const underWay = useRef<AbortController | null>(null);
  // A request for one filter is of no use for another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter ends it
  useEffect(() => {
    setArrived(nothingArrived);
    return () => underWay.current?.abort();
  }, [filter]);

  const announceArrived = useRef(onArrived);
  announceArrived.current = onArrived;
  const shown = useRef<{ readonly lanes: Lanes; readonly state: typeof loaded.state }>({ lanes: {}, state: "loading" });
  shown.current = { lanes: loaded.data ?? {}, state: loaded.state };
  useEffect(() => {
    if (filter === null) return;
    let isLost = false;
    return alertFeed.follow({
      onError(error) {
        setFeedError(error);
        if (error === null && isLost && shown.current.state === "failed") reload();
        isLost = error !== null;
      },
      onNews(news) {
        // While it is loading, the list that comes may be from before the news.
        if (news === null || shown.current.state !== "ready") return reload();
        const known = new Set(rowsOfLanes(shown.current.lanes).map(({ alert_id }) => alert_id));
        const next = withChanges(shown.current.lanes, news, filter);
        const added = rowsOfLanes(next).filter(({ alert_id }) => !known.has(alert_id));
        replace(() => next);
        shown.current = { ...shown.current, lanes: next };
        if (added.length === 0) return;
        setArrived((before) => new Set([...before, ...added.map(({ alert_id }) => alert_id)]));
        announceArrived.current(added.length);
      },
    });
  }, [filter, reload, replace]);

  const loadOlder = async (severity: Severity) => {
    const lane = loaded.data?.[severity];
    // While another filter is loading, the alerts that are still shown are not its own.
    if (filter === null || loaded.state !== "ready" || lane === undefined) return;
    const abort = new AbortController();
    underWay.current = abort;
    setLoadingOlder(severity);
    onFailure(null);
    try {
      const more = await withOlder({ ...lane, rows: [] }, alertFetcher(filter, severity, abort.signal));
      if (abort.signal.aborted) return;
      // What was acknowledged or became known meanwhile stays.
      replace((now) => withOlderRows(now, severity, lane.olderThan, more));
    } catch (error) {
      if (!abort.signal.aborted) onFailure(error);
    } finally {
      setLoadingOlder(null);
    }
  };
  return { ...loading, loadingOlder, loadOlder, arrived, feedError };
}
