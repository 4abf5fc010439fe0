import { useCallback } from "react";
import { getJson } from "../api/request.ts";
import { useLoad } from "../common/use-load.ts";
import { useMore } from "../common/use-more.ts";
import type { AuditPart } from "./audit-records.ts";

/** The newest entries that the query leaves, and older ones on request. */
export function useAuditLog(query: string) {
  const load = useCallback((signal: AbortSignal) => getJson<AuditPart>(`/fleet/log?${query}`, signal), [query]);
  const { loaded, reload, replace } = useLoad(load);
  const before = loaded.data?.next_before ?? null;
  const more = useMore(
    query,
    (signal) => getJson<AuditPart>(`/fleet/log?${query}&before=${before}`, signal),
    (next) => replace(({ data }) => ({ ...next, data: [...data, ...next.data] })),
  );
  return { loaded, reload, more, hasMore: before !== null };
}
