import { useCallback, useEffect, useRef, useState } from "react";
import { type Chosen, fleetDaysAddress } from "../../both-sides/periods/paths.ts";
import { getJson } from "../api/request.ts";
import { useMore } from "../common/loading/show-more.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { type Order, type ShownDays, shownDays, withPage } from "./fleet-days.ts";

const rowsAtOnce = 100;
/** As many as the server gives at once. */
const maxRows = 1_000;
const highlights = 5;
const refreshMs = 60_000;
/** Whether a server that was gone is back, one wants to know sooner. */
const retryMs = 20_000;

/**
 * What the fleet did, the first vehicles of the list, and the rest on request. Today is loaded again every minute, which a
 * screen reader does not announce. `refreshError` says why what is shown is older.
 */
export function useFleetDays(chosen: Chosen, order: Order, isToday: boolean, onLoaded: (fleet: ShownDays) => void) {
  const { sort, isDescending } = order;
  const pathOf = useCallback(
    (further: Readonly<Record<string, string>>) =>
      fleetDaysAddress(chosen, { show: "drove", sort, order: isDescending ? "desc" : "asc", ...further }),
    [chosen, sort, isDescending],
  );
  const firstPath = useCallback(
    (rows: number) => {
      const limit = Math.min(Math.max(rows, rowsAtOnce), maxRows);
      return pathOf({ limit: String(limit), highlights: String(highlights), compare: String(!isToday) });
    },
    [pathOf, isToday],
  );
  const load = useCallback(
    async (signal: AbortSignal) => {
      const fleet = shownDays(await getJson(firstPath(rowsAtOnce), signal));
      onLoaded(fleet);
      return fleet;
    },
    [firstPath, onLoaded],
  );
  const { loaded, reload, replace } = useLoad(load);
  const rowCount = useRef(0);
  rowCount.current = loaded.data?.data.length ?? 0;

  const [refreshError, setRefreshError] = useState<unknown>(null);
  useEffect(() => {
    if (!isToday) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = async () => {
      clearTimeout(timer);
      let waitMs = refreshMs;
      if (document.visibilityState === "visible" && rowCount.current <= maxRows) {
        try {
          // As many rows as are shown, so that nobody loses their place.
          const fresh = shownDays(await getJson(firstPath(rowCount.current), abort.signal));
          if (abort.signal.aborted) return;
          replace(() => fresh);
          setRefreshError(null);
        } catch (error) {
          if (abort.signal.aborted) return;
          setRefreshError(error);
          waitMs = retryMs;
        }
      }
      clearTimeout(timer);
      timer = setTimeout(refresh, waitMs);
    };
    timer = setTimeout(refresh, refreshMs);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", refresh);
      setRefreshError(null);
    };
  }, [isToday, firstPath, replace]);

  const cursor = loaded.state === "ready" ? loaded.data.next_cursor : null;
  const more = useMore(
    pathOf,
    (signal) => getJson(pathOf({ limit: String(rowsAtOnce), cursor: cursor ?? "" }), signal),
    // Another order or another day may be shown by now.
    (page) => replace((now) => (now.next_cursor === cursor ? withPage(now, page) : now)),
  );
  return { loaded, reload, refreshError, more, hasMore: cursor !== null };
}
