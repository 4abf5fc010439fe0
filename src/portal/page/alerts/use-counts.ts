import { useEffect, useState } from "react";
import type { Severity } from "../api/records.ts";
import { getJson } from "../api/request.ts";
import { alertFeed } from "./alert-feed.ts";
import { type AlertFilter, isCountable, parametersOf } from "./alert-filter.ts";

export interface AlertCounts {
  readonly data: Readonly<Partial<Record<Severity, number>>>;
  /** Beyond it nobody has counted. */
  readonly max: number;
}

/** How many there are of each severity, also of those that are not shown, always as of now; null: nobody knows (yet). */
export function useCounts(filter: AlertFilter | null): AlertCounts | null {
  const [counts, setCounts] = useState<AlertCounts | null>(null);
  useEffect(() => {
    if (filter === null || !isCountable(filter)) {
      setCounts(null);
      return;
    }
    const to = filter.to === null ? null : new Date(filter.to).toISOString();
    const parameters = { ...parametersOf(filter), from: new Date(filter.from).toISOString(), to };
    return watchCounts(parameters, setCounts);
  }, [filter]);
  return counts;
}

/**
 * Counts for fixed parameters, until it is stopped. A failure leaves what is known, and `onStale` says that it may not
 * be of now any more, until there are new counts.
 */
export function watchCounts(
  parameters: Readonly<Record<string, string | null>>,
  onCounts: (counts: AlertCounts) => void,
  onStale: () => void = () => {},
): () => void {
  const abort = new AbortController();
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null && value !== "") query.set(name, value);
  let isStale = false;
  const fail = () => {
    isStale = true;
    if (!abort.signal.aborted) onStale();
  };
  const load = () =>
    getJson<AlertCounts>(`/alerts/counts?${query}`, abort.signal).then((counts) => {
      isStale = false;
      if (!abort.signal.aborted) onCounts(counts);
    }, fail);
  void load();
  const stop = alertFeed.follow({
    onNews: () => void load(),
    onError(error) {
      if (error !== null) fail();
      else if (isStale) void load();
    },
  });
  return () => {
    abort.abort();
    stop();
  };
}
