import type { Texts } from "../texts/texts.ts";
import type { CellPart } from "./cells.ts";
import type { ColumnWriter, ReportColumn } from "./columns.ts";
import type { DownloadLink } from "./files/download-links.ts";
import type { Parameters, RowSource } from "./row-source.ts";
import type { ReadyScope, ReportScope } from "./scope.ts";
import type { ColumnSort } from "./sorting.ts";

/**
 * All that makes one report another than the next. README.md says how to add to it. The page draws it, and the server mails it,
 * so there is neither React nor the browser in it.
 */
export interface ListReport<Row extends Sums, Sums = Row> {
  readonly words: (texts: Texts) => {
    readonly caption: string;
    readonly count: (count: number, shown: string) => string;
    /** Why there may be no rows. */
    readonly empty: string;
  };
  readonly columns: (write: ColumnWriter<Row, Sums>) => readonly ReportColumn<Row, Sums>[];
  readonly keyOf: (row: Row) => string;
  readonly source: (request: SourceRequest) => RowSource<Row, Sums>;
  /** The order in which the source gives its rows, if nobody chooses another. */
  readonly defaultSort: ColumnSort;
  /** Whether the source gives its rows in any order of the table. */
  readonly isSortedByServer?: boolean;
  /** Whether the source must know the vehicles. */
  readonly needsDevices?: boolean;
  /** A choice above the table, which is in the address; without one, all rows are shown. */
  readonly filter?: {
    readonly name: string;
    readonly options: readonly string[];
    readonly words: (texts: Texts) => {
      readonly label: string;
      readonly options: Readonly<Record<string, string>> & { readonly all: string };
    };
  };
  readonly files: (scope: ReportScope, texts: Texts, filter: Parameters) => readonly DownloadLink[];
  readonly note?: (scope: ReportScope, texts: Texts) => readonly CellPart[];
}

export interface SourceRequest extends ReadyScope {
  readonly sort: ColumnSort;
  readonly filter: Parameters;
}

/** What the filter of a report leaves, by what an address or a plan says of it. Unknown words leave everything. */
export function reportFilter(
  { filter }: Pick<ListReport<never>, "filter">,
  chosen: string | null | undefined,
): Parameters {
  return filter && chosen && filter.options.includes(chosen) ? { [filter.name]: chosen } : {};
}
