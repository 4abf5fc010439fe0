import type { ReactNode } from "react";
import { useTexts } from "../../texts/use-texts.ts";

export interface CardColumn<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
}

interface CardTableProps<Row> {
  readonly caption: string;
  readonly className?: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Attributes of a row, for styles and tests. */
  readonly marksOf: (row: Row) => Readonly<Record<`data-${string}`, string>>;
  /** The first is the heading of its row. */
  readonly columns: readonly [CardColumn<Row>, ...(readonly CardColumn<Row>[])];
  /** Buttons; null: there is nothing to do. */
  readonly actionsOf: (row: Row) => ReactNode | null;
}

/** A table with buttons at the end of each row. On a phone its rows are cards. */
export function CardTable<Row>({ caption, className = "", rows, keyOf, marksOf, ...content }: CardTableProps<Row>) {
  const { common } = useTexts();
  const { columns, actionsOf } = content;
  const [first, ...others] = columns;
  return (
    <div className="table-frame panel">
      <table className={`table table-cards ${className}`.trimEnd()}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">{common.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const actions = actionsOf(row);
            return (
              <tr key={keyOf(row)} {...marksOf(row)}>
                <th scope="row">{first.cell(row)}</th>
                {others.map(({ label, cell }) => (
                  <td key={label} data-label={label}>
                    {cell(row)}
                  </td>
                ))}
                <td>{actions !== null && <div className="row-actions">{actions}</div>}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
