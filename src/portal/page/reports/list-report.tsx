import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Column } from "./column.ts";
import { type DownloadOffer, Downloads } from "./downloads.tsx";
import { ReportTable } from "./report-table.tsx";
import type { RowSource } from "./row-source.ts";
import { RowsStatus } from "./rows-status.tsx";
import { sortedRows } from "./sorting.ts";
import { usePrinting } from "./use-printing.ts";
import { useRows } from "./use-rows.ts";
import type { TableSort } from "./use-sort.ts";

/** So many rows are drawn at first, and with each step further down. */
const rowsAtOnce = 100;
/** So many are read ahead of what is drawn. */
const rowsAhead = 200;

interface ListReportProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** As `useRows` takes it. */
  readonly open: (() => RowSource<Row>) | null;
  readonly order: TableSort;
  /** Whether the rows come in the order of the table, whatever it is. */
  readonly isOrderedByServer?: boolean;
  /** Whether the totals are of all rows, loaded or not. */
  readonly hasWholeTotals?: boolean;
  readonly count: (count: number, shown: string) => string;
  readonly downloads: DownloadOffer;
  /** Why there may be no rows. */
  readonly emptyText: string;
  readonly note?: ReactNode;
}

/** A report of rows: the first at once, the rest while one scrolls. Sorting, printing and totals of all need all rows. */
export function ListReport<Row>(props: ListReportProps<Row>) {
  const { caption, columns, keyOf, open, order, count, downloads, emptyText, note } = props;
  const { isOrderedByServer = false, hasWholeTotals = false } = props;
  const { reports: words } = useTexts();
  const show = useShow();
  const [drawn, setDrawn] = useState(rowsAtOnce);
  const [isAllWanted, setAllWanted] = useState(false);
  const isInOrder = isOrderedByServer || order.isUsual;
  const isEverything = isAllWanted || !isInOrder;
  const loaded = useRows(open, isEverything ? Number.POSITIVE_INFINITY : drawn + rowsAhead);
  const { rows, isEnd, isCut, isLoading, error, retry } = loaded;
  const sorted = useMemo(() => {
    const sortBy = columns.find(({ id }) => id === order.sort.column)?.value;
    return isInOrder || !sortBy ? rows : sortedRows(rows, sortBy, order.sort.isDescending, show.compare);
  }, [rows, columns, order.sort, isInOrder, show]);
  const bar = useRef<HTMLDivElement>(null);
  // Another list or order begins at its top, also for whoever has scrolled down.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what it begins anew with
  useEffect(() => {
    setDrawn(rowsAtOnce);
    if ((bar.current?.getBoundingClientRect().top ?? 0) < 0) bar.current?.scrollIntoView();
  }, [open, order.sort]);
  useEffect(() => {
    if (open !== null) setAllWanted(false);
  }, [open]);
  const print = usePrinting(isEnd || isCut, () => setAllWanted(true), setDrawn);
  const hasMore = drawn < sorted.length || (!isEnd && !isCut);
  const showMore = () => setDrawn((now) => Math.min(now, sorted.length) + rowsAtOnce);
  const totalLabel = isEnd || hasWholeTotals ? words.total : words.totalSoFar(show.number(rows.length));
  return (
    <>
      <div ref={bar} className="report-bar">
        <RowsStatus
          loaded={loaded}
          words={count}
          isEverything={isEverything}
          onAll={() => setAllWanted(true)}
          onStop={() => {
            setAllWanted(false);
            if (!isInOrder) order.reset();
          }}
        />
        <Downloads offer={downloads} onPrint={print.start} isPrinting={print.isWaiting} />
      </div>
      {note}
      {error !== null && <ErrorNotice error={error} retry={retry} />}
      {rows.length === 0 && isLoading && <LoadingState label={words.loading} />}
      {rows.length === 0 && isEnd && (
        <EmptyState icon="report" title={words.nothing}>
          <p>{emptyText}</p>
        </EmptyState>
      )}
      {rows.length > 0 && (
        <ReportTable
          caption={caption}
          columns={columns}
          rows={sorted.slice(0, drawn)}
          allRows={rows}
          keyOf={keyOf}
          order={order}
          totalLabel={columns.some(({ total }) => total) ? totalLabel : null}
        />
      )}
      {rows.length > 0 && hasMore && <ShowMore isLoading={isLoading && drawn >= sorted.length} onMore={showMore} />}
    </>
  );
}

/** Comes into view as one scrolls, and then asks for more. With the keyboard it is a button. */
function ShowMore({ isLoading, onMore }: { readonly isLoading: boolean; readonly onMore: () => void }) {
  const { common } = useTexts();
  const button = useRef<HTMLButtonElement>(null);
  const more = useRef(onMore);
  more.current = onMore;
  useEffect(() => {
    if (!button.current || isLoading) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) more.current();
      },
      { rootMargin: "600px" },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  });
  return (
    <button ref={button} type="button" className="button button-wide show-more" onClick={onMore}>
      {isLoading ? `${common.loading}…` : common.showMore}
    </button>
  );
}
