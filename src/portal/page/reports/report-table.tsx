import { memo, type ReactNode } from "react";
import type { ReportColumn } from "../../both-sides/reports/columns.ts";
import { Button } from "../common/elements/button.tsx";
import { Select } from "../common/fields/field.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { drawCell } from "./draw-cell.tsx";
import type { TableSort } from "./use-sort.ts";

interface ColumnTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly ReportColumn<Row, never>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

interface ReportTableProps<Row, Sums> extends ColumnTableProps<Row> {
  readonly columns: readonly ReportColumn<Row, Sums>[];
  readonly order: TableSort;
  readonly totalLabel: string;
  /** What the row of totals adds up: all rows that are loaded, not only those that are drawn. */
  readonly summed: readonly Sums[];
}

/** A table that can be sorted. On a phone its rows are cards, and a list chooses the order. */
export function ReportTable<Row, Sums>(props: ReportTableProps<Row, Sums>) {
  const { columns, order, totalLabel, summed, ...table } = props;
  const { reports: words } = useTexts();
  const sortable = columns.filter(({ value }) => value !== undefined);
  const [, ...others] = columns;
  return (
    <>
      <div className="report-order">
        <Select
          label={words.sortBy}
          value={order.sort.column}
          onChange={(id) => {
            const column = sortable.find((candidate) => candidate.id === id);
            if (column && id !== order.sort.column) order.toggle(column);
          }}
          options={sortable.map(({ id, title }) => [id, title] as const)}
        />
        <Button text={words.reverse} onClick={() => order.toggle({ id: order.sort.column })} />
      </div>
      <div className="report-frame panel">
        <ColumnTable {...table} columns={columns} order={order}>
          {columns.some(({ total }) => total) && (
            <tfoot>
              <tr>
                <th scope="row">{totalLabel}</th>
                {others.map(({ id, title, isNumeric, total }) => (
                  <td key={id} data-label={total ? title : undefined} className={isNumeric ? "figure" : undefined}>
                    {total?.(summed)}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </ColumnTable>
      </div>
    </>
  );
}

interface PlainTableProps<Row> extends ColumnTableProps<Row> {
  /** Absent: it cannot be sorted. */
  readonly order?: TableSort;
  readonly children?: ReactNode;
}

export function ColumnTable<Row>({ caption, columns, rows, keyOf, order, children }: PlainTableProps<Row>) {
  return (
    <table className="table report-table digits">
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
          <BodyRow key={keyOf(row)} columns={columns as readonly ReportColumn<unknown>[]} row={row} />
        ))}
      </tbody>
      {children}
    </table>
  );
}

interface HeadCellProps {
  readonly column: Pick<ReportColumn<never>, "id" | "title" | "value" | "isNumeric">;
  readonly order: TableSort | undefined;
}

function HeadCell({ column, order }: HeadCellProps) {
  const { id, title, value, isNumeric } = column;
  const className = isNumeric ? "figure" : undefined;
  if (value === undefined || order === undefined) {
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
      <button type="button" className="sort-button middle gap-1" onClick={() => order.toggle(column)}>
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
  readonly columns: readonly ReportColumn<unknown>[];
  readonly row: unknown;
}

/** Drawn once: with more rows below them, those above stay as they are. */
const BodyRow = memo(({ columns, row }: BodyRowProps) => (
  <tr>
    {columns.map(({ id, title, cell, isNumeric, isRowHeader }) =>
      isRowHeader ? (
        <th key={id} scope="row">
          {drawCell(cell(row))}
        </th>
      ) : (
        <td key={id} data-label={title} className={isNumeric ? "figure" : undefined}>
          {drawCell(cell(row))}
        </td>
      ),
    )}
  </tr>
));
