import { useMemo } from "react";
import { useAddress } from "../common/address.ts";
import { EmptyState } from "../common/empty-state.tsx";
import { LoadState } from "../common/load-state.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { PageHead } from "../common/page-head.tsx";
import { useSession } from "../common/session.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { AuditDownload } from "./audit-download.tsx";
import { auditFilterOf, auditQuery, isFiltered } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditTable } from "./audit-table.tsx";
import { useAuditLog } from "./use-audit-log.ts";

/** Who did what and when, newest first. */
export default function AuditPage() {
  const { audit: words, common } = useAdministrationTexts();
  const { get } = useAddress();
  const zone = useSession().account.time_zone;
  const filter = useMemo(() => auditFilterOf(get), [get]);
  const query = auditQuery(filter, zone).toString();
  const { loaded, reload, more, hasMore } = useAuditLog(query);
  const entries = loaded.data?.data ?? [];
  return (
    <>
      <PageHead title={words.title} text={words.what}>
        <AuditDownload query={query} />
      </PageHead>
      <AuditFilters filter={filter} />
      <LoadState loaded={loaded} reload={reload} />
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
