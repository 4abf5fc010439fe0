import { memo, type ReactNode } from "react";
import { Select } from "../common/field.tsx";
import { useTexts } from "../texts/use-texts.ts";
import type { Column } from "./column.ts";
import type { TableSort } from "./use-sort.ts";

interface ReportTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly order: TableSort;
  /** The first cell of the row of totals; null: there is none. */
  readonly totalLabel: ReactNode | null;
  /** What is added up: all rows that are loaded, not only those that are drawn. */
  readonly allRows: readonly Row[];
}

/** A table that can be sorted. On a phone its rows are cards, and a list chooses the order. */
export function ReportTable<Row>(props: ReportTableProps<Row>) {
  const { caption, columns, rows, keyOf, order, totalLabel, allRows } = props;
  const { reports: words } = useTexts();
  const sortable = columns.filter(({ value }) => value !== undefined);
  const [first, ...others] = columns;
  return (
    <>
      <div className="report-order">
        <Select
          label={words.sortBy}
          value={order.sort.column}
          onChange={(id) => {
            const column = sortable.find((candidate) => candidate.id === id);
            if (column && id !== order.sort.column) order.press(column);
          }}
          options={sortable.map(({ id, title }) => [id, title] as const)}
        />
        <button type="button" className="button" onClick={() => order.press({ id: order.sort.column })}>
          {words.reverse}
        </button>
      </div>
      <div className="report-frame">
        <table className="table report-table">
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeadCell key={column.id} column={column} order={order} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <BodyRow key={keyOf(row)} columns={columns as readonly Column<unknown>[]} row={row} />
            ))}
          </tbody>
          {totalLabel !== null && first && (
            <tfoot>
              <tr>
                <th scope="row">{totalLabel}</th>
                {others.map(({ id, title, isFigure, total }) => (
                  <td key={id} data-label={total ? title : undefined} className={isFigure ? "figure" : undefined}>
                    {total?.(allRows)}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    </>
  );
}

interface HeadCellProps<Row> {
  readonly column: Column<Row>;
  readonly order: TableSort;
}

function HeadCell<Row>({ column, order }: HeadCellProps<Row>) {
  const { id, title, value, isFigure } = column;
  const className = isFigure ? "figure" : undefined;
  if (value === undefined) {
    return (
      <th scope="col" className={className}>
        {title}
      </th>
    );
  }
  const isSorted = order.sort.column === id;
  const direction = order.sort.isDescending ? "descending" : "ascending";
  return (
    <th scope="col" className={className} aria-sort={isSorted ? direction : undefined}>
      <button type="button" className="sort-button" onClick={() => order.press(column)}>
        {title}
        <svg className="sort-mark" viewBox="0 0 10 12" aria-hidden="true" focusable="false">
          <path d="M5 1 8.5 5h-7z" />
          <path d="M5 11 1.5 7h7z" />
        </svg>
      </button>
    </th>
  );
}

interface BodyRowProps {
  readonly columns: readonly Column<unknown>[];
  readonly row: unknown;
}

/** Drawn once: with more rows below them, those above stay as they are. */
const BodyRow = memo(({ columns, row }: BodyRowProps) => (
  <tr>
    {columns.map((column) => (
      <Cell key={column.id} column={column} row={row} />
    ))}
  </tr>
));

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { title, cell, isFigure, isHead } = column;
  if (isHead) return <th scope="row">{cell(row)}</th>;
  return (
    <td data-label={title} className={isFigure ? "figure" : undefined}>
      {cell(row)}
    </td>
  );
}
