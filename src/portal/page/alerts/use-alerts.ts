import { useCallback, useEffect, useRef, useState } from "react";
import type { Alert } from "../api/records.ts";
import { type Loading, useLoad } from "../common/use-load.ts";
import { type AlertFilter, type AlertsSoFar, alertFetcher, noAlertsYet, withOlder } from "./load-alerts.ts";

export interface ListedAlerts extends Loading<AlertsSoFar> {
  readonly isLoadingOlder: boolean;
  readonly loadOlder: () => Promise<void>;
  readonly change: (alert: Alert) => void;
}

/** The newest alerts that match the filter, and older ones on request. */
export function useAlerts(filter: AlertFilter, onFailure: (error: unknown) => void): ListedAlerts {
  const load = useCallback(
    (signal: AbortSignal) => withOlder(noAlertsYet(filter, Date.now()), alertFetcher(filter, signal)),
    [filter],
  );
  const loading = useLoad(load);
  const { loaded, replace } = loading;
  const [isLoadingOlder, setLoadingOlder] = useState(false);
  const underWay = useRef<AbortController | null>(null);
  // A request for one filter is of no use for another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter ends it
  useEffect(() => () => underWay.current?.abort(), [filter]);

  const loadOlder = async () => {
    // While another filter is loading, the alerts that are still shown are not its own.
    if (loaded.state !== "ready") return;
    const abort = new AbortController();
    underWay.current = abort;
    setLoadingOlder(true);
    onFailure(null);
    try {
      const { rows: known } = loaded.data;
      const more = await withOlder({ ...loaded.data, rows: [] }, alertFetcher(filter, abort.signal));
      if (abort.signal.aborted) return;
      // Keeps what was acknowledged meanwhile.
      replace((now) => ({ ...more, rows: [...now.rows.slice(0, known.length), ...more.rows] }));
    } catch (error) {
      if (!abort.signal.aborted) onFailure(error);
    } finally {
      setLoadingOlder(false);
    }
  };
  const change = (alert: Alert) =>
    replace((now) => ({ ...now, rows: now.rows.map((row) => (row.alert_id === alert.alert_id ? alert : row)) }));
  return { ...loading, isLoadingOlder, loadOlder, change };
}
