import type { ReactNode } from "react";
import type { SortValue } from "./sorting.ts";

/** A column of a report. */
export interface Column<Row> {
  /** As it is in the address. */
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** What rows are sorted by; absent: they cannot be sorted by it. */
  readonly value?: (row: Row) => SortValue;
  /** Figures stand at the right, and begin with the greatest when sorted. */
  readonly isFigure?: boolean;
  /** The row's own heading. */
  readonly isHead?: boolean;
  /** In the row of totals. */
  readonly total?: (rows: readonly Row[]) => ReactNode;
}
