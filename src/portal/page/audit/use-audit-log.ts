import { useCallback, useEffect, useRef, useState } from "react";
import { getJson } from "../api/request.ts";
import { type Loaded, useLoad } from "../common/use-load.ts";
import type { AuditPart } from "./audit-records.ts";

export interface AuditLog {
  readonly loaded: Loaded<AuditPart>;
  readonly reload: () => void;
  readonly isLoadingMore: boolean;
  readonly moreError: unknown;
  readonly loadMore: () => Promise<void>;
}

/** The newest entries that the query leaves, and older ones on request. */
export function useAuditLog(query: string): AuditLog {
  const load = useCallback((signal: AbortSignal) => getJson<AuditPart>(`/fleet/log?${query}`, signal), [query]);
  const { loaded, reload, replace } = useLoad(load);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [moreError, setMoreError] = useState<unknown>(null);
  const underWay = useRef<AbortController | null>(null);
  // What is being loaded for one query is of no use for another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query ends it
  useEffect(() => {
    setMoreError(null);
    return () => underWay.current?.abort();
  }, [query]);
  const before = loaded.data?.next_before ?? null;
  const loadMore = async () => {
    if (before === null || isLoadingMore) return;
    const abort = new AbortController();
    underWay.current = abort;
    setLoadingMore(true);
    setMoreError(null);
    try {
      const next = await getJson<AuditPart>(`/fleet/log?${query}&before=${before}`, abort.signal);
      if (!abort.signal.aborted) replace(({ data }) => ({ ...next, data: [...data, ...next.data] }));
    } catch (cause) {
      if (!abort.signal.aborted) setMoreError(cause);
    }
    setLoadingMore(false);
  };
  return { loaded, reload, isLoadingMore, moreError, loadMore };
}
