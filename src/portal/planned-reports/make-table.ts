import type { Background } from "../../derive/pace.ts";
import type { ReportFilters } from "../../domain/notifications/planned-report.ts";
import { cellText } from "../both-sides/reports/cells.ts";
import { ColumnWriter, type ReportColumn } from "../both-sides/reports/columns.ts";
import { type LabelledTotals, type ShownTable, shownTable } from "../both-sides/reports/files/shown-table.ts";
import { type ListReport, reportFilter } from "../both-sides/reports/report.ts";
import type { RowSource } from "../both-sides/reports/row-source.ts";
import type { ReadyScope } from "../both-sides/reports/scope.ts";
import { isSameSort, sortedRows, sortOf } from "../both-sides/reports/sorting.ts";
import type { NamePlace } from "../mail/place-namer.ts";
import type { MailReader } from "../mail/reader.ts";

/** More rows than anybody reads in a file of a mail. The portal has them all. */
const maxRows = 20_000;
/** So many are in the mail itself. */
const maxListed = 100;
/** The thread is shared with those who wait for answers. */
const rowsPerStep = 500;

/** What a report is made of. */
export interface ReportRequest {
  readonly scope: ReadyScope;
  readonly filters: ReportFilters;
  readonly reader: MailReader;
  readonly namePlace: NamePlace;
  readonly pace: Background;
  readonly stop: AbortSignal;
}

/** A table of a report: its first rows as texts, and all of them for a file. */
export interface MadeTable {
  /** What the rows are: the vehicle of sensors, or null. */
  readonly title: string | null;
  readonly counted: string;
  /** Why there are no rows. */
  readonly empty: string;
  readonly heads: readonly TableHead[];
  readonly listed: readonly (readonly string[])[];
  readonly totals: readonly string[] | null;
  readonly rowCount: number;
  /** Whether there are more than `maxRows`. */
  readonly isCut: boolean;
  readonly file: ShownTable;
}

export interface TableHead {
  readonly text: string;
  readonly isNumeric: boolean;
}

export type TableMaker = (request: ReportRequest) => Promise<MadeTable>;

/** Makes the table that the page shows, with all of its rows. */
export function tableMaker<Row extends Sums, Sums = Row>(report: ListReport<Row, Sums>): TableMaker {
  return async (request) => {
    const { scope, filters, reader } = request;
    const { texts, show } = reader;
    const columns = report.columns(new ColumnWriter<Row, Sums>(texts, show, scope));
    const sortable = columns.filter(({ value }) => value !== undefined).map(({ id }) => id);
    const sort = sortOf(filters.sort, sortable, report.defaultSort);
    const source = report.source({ ...scope, sort, filter: reportFilter(report, filters.choice) });
    const rows = await readRows(source, request);
    const sortBy = columns.find(({ id }) => id === sort.column)?.value;
    const isInOrder = report.isSortedByServer === true || isSameSort(sort, report.defaultSort) || !sortBy;
    const sorted = isInOrder ? rows : sortedRows(rows, sortBy, sort.isDescending, show.compare);
    const isCut = !source.isEnd;
    const { reports: words } = texts;
    const label = isCut && source.totals === null ? words.totalSoFar(show.number(rows.length)) : words.total;
    const { count, empty } = report.words(texts);
    const totals = { label, summed: source.totals === null ? rows : [source.totals] };
    const counted = count(rows.length, show.number(rows.length));
    return { title: null, counted, empty, isCut, ...(await tableOf(columns, sorted, totals, request)) };
  };
}

/** Up to the limit, and to the end of the page on which that is. */
export async function readRows<Row>(
  source: RowSource<Row, unknown>,
  { pace, stop }: Pick<ReportRequest, "pace" | "stop">,
  max = maxRows,
): Promise<Row[]> {
  const rows: Row[] = [];
  while (!source.isEnd && rows.length < max) {
    for (const row of await source.next(stop)) rows.push(row);
    await pace.rest();
  }
  return rows;
}

export async function tableOf<Row, Sums>(
  columns: readonly ReportColumn<Row, Sums>[],
  rows: readonly Row[],
  totals: LabelledTotals<Sums> | null,
  { reader: { show }, namePlace, pace }: Pick<ReportRequest, "reader" | "namePlace" | "pace">,
): Promise<Pick<MadeTable, "heads" | "listed" | "totals" | "rowCount" | "file">> {
  const hasTotals = totals !== null && columns.some(({ total }) => total);
  const file: { -readonly [Name in keyof ShownTable]: ShownTable[Name] } = await shownTable(
    columns,
    [],
    totals,
    namePlace,
  );
  for (let first = 0; first < rows.length; first += rowsPerStep) {
    const part = await shownTable(columns, rows.slice(first, first + rowsPerStep), null, namePlace);
    file.rows = [...file.rows, ...part.rows];
    await pace.rest();
  }
  const textsOf = (row: Row) => Promise.all(columns.map(({ cell }) => cellText(cell(row), show, namePlace)));
  return {
    heads: columns.map(({ title, isNumeric = false }) => ({ text: title, isNumeric })),
    listed: await Promise.all(rows.slice(0, maxListed).map(textsOf)),
    totals: hasTotals
      ? columns.map(({ total }, index) =>
          index === 0 ? totals.label : (total?.(totals.summed) ?? "").replace("\n", " "),
        )
      : null,
    rowCount: rows.length,
    file,
  };
}
