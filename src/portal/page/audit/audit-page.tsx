import { useMemo } from "react";
import { useAddress } from "../common/address.ts";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useSession } from "../common/session.ts";
import { useHeading } from "../common/use-heading.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import { AuditDownload } from "./audit-download.tsx";
import { auditFilterOf, auditQuery, isFiltered } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditTable } from "./audit-table.tsx";
import { useAuditLog } from "./use-audit-log.ts";

/** Who did what and when, newest first. */
export default function AuditPage() {
  const { audit: words } = useAdministrationTexts();
  const { common } = useTexts();
  const heading = useHeading(words.title);
  const { get } = useAddress();
  const zone = useSession().account.time_zone;
  const filter = useMemo(() => auditFilterOf(get), [get]);
  const query = auditQuery(filter, zone).toString();
  const { loaded, reload, more, hasMore } = useAuditLog(query);
  const entries = loaded.data?.data ?? [];
  return (
    <>
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {words.title}
          </h1>
          <p className="quiet">{words.what}</p>
        </div>
        <AuditDownload query={query} />
      </header>
      <AuditFilters filter={filter} />
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.state === "loading" && loaded.data === null && <LoadingState />}
      {loaded.state === "ready" && entries.length === 0 && (
        <EmptyState icon="report" title={words.none}>
          <p>{isFiltered(filter) ? words.noneFiltered : words.noneWhat}</p>
        </EmptyState>
      )}
      {entries.length > 0 && (
        <div aria-busy={loaded.state === "loading"}>
          <AuditTable entries={entries} />
        </div>
      )}
      {more.error !== null && <ErrorNotice error={more.error} retry={more.loadMore} />}
      {entries.length > 0 && hasMore && (
        <button
          type="button"
          className="button button-own-width"
          aria-disabled={more.isLoading}
          onClick={more.loadMore}
        >
          {more.isLoading ? common.looking : common.showMore}
        </button>
      )}
    </>
  );
}
