import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ColumnWriter } from "../../both-sides/reports/columns.ts";
import { noDriver } from "../../both-sides/reports/drivers.ts";
import { type ListReport, reportFilter } from "../../both-sides/reports/report.ts";
import type { ReportScope } from "../../both-sides/reports/scope.ts";
import { sortedRows } from "../../both-sides/reports/sorting.ts";
import type { Texts } from "../../both-sides/texts/texts.ts";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { Segmented } from "../common/fields/choices.tsx";
import { EmptyState, ErrorNotice, LoadingState } from "../common/loading/notice.tsx";
import { ShowMore } from "../common/loading/show-more.tsx";
import { useAddress } from "../common/navigation/address.ts";
import { usePlaceNamer } from "../places/place.tsx";
import { useFences } from "../places/use-fences.ts";
import { useTexts } from "../texts/use-texts.ts";
import { drawCell } from "./draw-cell.tsx";
import { Downloads, saveFile } from "./files/downloads.tsx";
import { ReportTable } from "./report-table.tsx";
import { daysWords, vehicleWords } from "./scope-words.ts";
import { maxReportRows, type RowsSoFar, useReportRows } from "./use-rows.ts";
import { useSort } from "./use-sort.ts";
import { useWhenLoaded } from "./use-when-loaded.ts";

/** So many rows are drawn at first, and with each step further down. */
const rowsAtOnce = 100;
/** So many are read ahead of what is drawn. */
const rowsAhead = 200;

export interface ReportProps {
  readonly scope: ReportScope;
  /** The days and filters in words, which stand beside how many rows there are. */
  readonly about?: ReactNode;
  /** What chooses among several views. */
  readonly views?: ReactNode;
}

type ReportComponent = (props: ReportProps) => ReactNode;

/** A report of rows: the first at once, the rest while one scrolls. Sorting, printing and totals of all need all rows. */
export function listReport<Row extends Sums, Sums = Row>(report: ListReport<Row, Sums>): ReportComponent {
  return (props) => <ListReportView report={report} {...props} />;
}

/** Several reports, one of which is shown. Each has its own orders. */
export function reportViews<View extends string>(
  views: Readonly<Record<View, ReportComponent>>,
  words: (reports: Texts["reports"]) => Readonly<Record<View, string>>,
): ReportComponent {
  const names = Object.keys(views) as [View, ...View[]];
  return (props) => {
    const { reports } = useTexts();
    const [view, choose] = useView(names);
    const Shown: ReportComponent = views[view];
    const choice = (
      <Segmented
        name="view"
        className={switchClass}
        label={reports.show}
        options={names}
        words={words(reports)}
        value={view}
        onChange={choose}
      />
    );
    return <Shown {...props} views={choice} />;
  };
}

/** Of a choice above a report. */
export const switchClass = "segmented report-switch";

/** Which view the address names, the first if none; another view has another order. */
export function useView<View extends string>(views: readonly [View, ...View[]]) {
  const { get, set } = useAddress();
  const view = views.find((name) => name === get("view")) ?? views[0];
  const choose = (chosen: View) => set({ view: chosen === views[0] ? null : chosen, sort: null });
  return [view, choose] as const;
}

interface ListReportViewProps<Row extends Sums, Sums> extends ReportProps {
  readonly report: ListReport<Row, Sums>;
}

function ListReportView<Row extends Sums, Sums>({ report, scope, about, views }: ListReportViewProps<Row, Sums>) {
  const texts = useTexts();
  const { reports: words, show } = texts;
  const { caption, count, empty } = report.words(texts);
  const { get, set } = useAddress();
  const chosen = report.filter?.options.find((option) => option === get(report.filter?.name ?? ""));
  const filter = useMemo(() => reportFilter(report, chosen), [report, chosen]);
  const { list, devices } = scope;
  // The scope's own objects are new with each rendering; what columns use of them changes with `list`.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const columns = useMemo(
    () => report.columns(new ColumnWriter<Row, Sums>(texts, show, scope)),
    [report, texts, show, devices, list],
  );
  const order = useSort(columns, report.defaultSort);
  const { sort } = order;
  // `list` changes with whatever else of the scope is asked for.
  const needed = [report.needsDevices ? devices : undefined, report.isSortedByServer ? sort : undefined];
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new scope of the same days and vehicles would read them anew
  const open = useMemo(
    () => (list === null || needed[0] === null ? null : () => report.source({ ...scope, list, sort, filter })),
    [report, list, filter, ...needed],
  );

  const [drawn, setDrawn] = useState(rowsAtOnce);
  const [isAllWanted, setAllWanted] = useState(false);
  const isInOrder = report.isSortedByServer === true || order.isDefault;
  const isEverything = isAllWanted || !isInOrder;
  const loaded = useReportRows(open, isEverything ? Number.POSITIVE_INFINITY : drawn + rowsAhead);
  const { rows, totals, isEnd, isCut, isLoading, error, retry } = loaded;
  const sorted = useMemo(() => {
    const sortBy = columns.find(({ id }) => id === sort.column)?.value;
    return isInOrder || !sortBy ? rows : sortedRows(rows, sortBy, sort.isDescending, show.compare);
  }, [rows, columns, sort, isInOrder, show]);
  const bar = useRef<HTMLDivElement>(null);
  // Another list or order begins at its top, also for a person who has scrolled down.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what it begins anew with
  useEffect(() => {
    setDrawn(rowsAtOnce);
    if ((bar.current?.getBoundingClientRect().top ?? 0) < 0) bar.current?.scrollIntoView();
  }, [open, sort]);
  useEffect(() => {
    if (open !== null) setAllWanted(false);
  }, [open]);
  useDrawAll(setDrawn);
  const note = report.note?.(scope, texts);
  // What leaves out rows is said above them; what explains them, below.
  const isFiltered = (list?.driver ?? null) !== null;
  const hasAll = isEnd || isCut;
  const loadAll = () => setAllWanted(true);
  const print = useWhenLoaded(hasAll, loadAll, () => window.print(), error);
  const placeNamer = usePlaceNamer();
  const summed = totals === null ? rows : [totals];
  const totalLabel = isEnd || totals !== null ? words.total : words.totalSoFar(show.number(rows.length));
  const fences = useFences();
  const makeFile = async () => {
    const { shownFile } = await import("./files/shown-file.ts");
    const { period, chosen: which } = scope;
    const vehicles = which.vehicles.length === 1 ? which.vehicles.flatMap((id) => devices?.get(id)?.name ?? []) : [];
    const named = [...vehicles, ...new Set([period.from, period.to])];
    const { driver = null, fence = null } = list ?? {};
    const filters = [
      vehicleWords(scope, texts.common),
      ...(driver === null ? [] : [driver === noDriver ? words.noDriver : words.onlyDriver(driver)]),
      ...(fence === null ? [] : [`${words.fence}: ${fences?.byId.get(fence)?.name ?? fence}`]),
      ...(chosen === undefined ? [] : [report.filter?.words(texts).options[chosen] ?? chosen]),
    ];
    const above = [daysWords(scope, texts), filters.join(" · ")];
    const made = { title: caption, about: named, above, columns, rows: sorted, totals: { label: totalLabel, summed } };
    const file = await shownFile({ ...made, nameOf: placeNamer() });
    saveFile(file);
    announce(words.downloaded(file.name));
  };
  const asShown = useWhenLoaded(hasAll && list !== null, loadAll, makeFile, error);
  const hasMore = drawn < sorted.length || (!isEnd && !isCut);
  const showMore = () => setDrawn((now) => Math.min(now, sorted.length) + rowsAtOnce);
  return (
    <>
      <div ref={bar} className="report-bar flex wrap apart">
        <div>
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
          {about}
        </div>
        {views}
        {report.filter && (
          <Segmented
            name={report.filter.name}
            className={switchClass}
            label={report.filter.words(texts).label}
            options={["all", ...report.filter.options]}
            words={report.filter.words(texts).options}
            value={chosen ?? "all"}
            onChange={(option) => set({ [report.filter?.name ?? ""]: option === "all" ? null : option })}
          />
        )}
        <Downloads
          links={report.files(scope, texts, filter)}
          onPrint={print.start}
          isPrinting={print.isWaiting}
          asShown={asShown}
        />
      </div>
      {note && isFiltered && <p className="hint">{drawCell(note)}</p>}
      {error !== null && <ErrorNotice error={error} retry={retry} />}
      {rows.length === 0 && isLoading && <LoadingState label={words.loading} />}
      {rows.length === 0 && isEnd && (
        <EmptyState icon="report" title={words.nothing}>
          {empty}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <ReportTable
          caption={caption}
          columns={columns}
          rows={sorted.slice(0, drawn)}
          keyOf={report.keyOf}
          order={order}
          summed={summed}
          totalLabel={totalLabel}
        />
      )}
      {rows.length > 0 && hasMore && (
        <ShowMore
          className="button button-wide show-more"
          isLoading={isLoading && drawn >= sorted.length}
          onMore={showMore}
        />
      )}
      {note && !isFiltered && <p className="hint">{drawCell(note)}</p>}
      <p className="hint report-files">{words.excelAsShown}</p>
    </>
  );
}

/** While the browser prints, all rows are drawn: also if its own menu prints, then it is all that is loaded. */
function useDrawAll(setDrawn: (rows: number) => void): void {
  useEffect(() => {
    const drawAll = () => flushSync(() => setDrawn(Number.POSITIVE_INFINITY));
    addEventListener("beforeprint", drawAll);
    return () => removeEventListener("beforeprint", drawAll);
  }, [setDrawn]);
}

interface RowsStatusProps {
  readonly loaded: Pick<RowsSoFar<unknown>, "count" | "isEnd" | "isCut" | "isLoading" | "share">;
  readonly words: (count: number, shown: string) => string;
  /** Whether all rows are wanted, not only those one scrolls to. */
  readonly isEverything: boolean;
  readonly onAll: () => void;
  readonly onStop: () => void;
}

/** How much of the report is loaded, said plainly: sorting and totals are only of that. */
function RowsStatus({ loaded, words: countWords, isEverything, onAll, onStop }: RowsStatusProps) {
  const { reports: words, common, show } = useTexts();
  const { count, isEnd, isCut, isLoading, share } = loaded;
  const counted = countWords(count, show.number(count));
  if (isEnd || isCut) {
    return (
      <p className="report-status" role="status">
        {isEnd ? counted : words.tooMany(show.number(maxReportRows))}
      </p>
    );
  }
  if (isEverything && isLoading) {
    return (
      <div className="report-status">
        <label>
          <span>{words.loadingAll(counted)}</span>
          <progress value={share} />
        </label>
        <Button look="small" text={common.cancel} onClick={onStop} />
      </div>
    );
  }
  return (
    <div className="report-status">
      <p role="status">{count === 0 ? common.looking : words.first(counted)}</p>
      {count > 0 && <Button look="small" text={words.loadAll} onClick={onAll} />}
    </div>
  );
}
