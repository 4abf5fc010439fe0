import { useId } from "react";
import { useTexts } from "../texts/use-texts.ts";
import { countNames, type Group } from "./tally.ts";

interface UsageTableProps {
  readonly title: string;
  readonly head: string;
  readonly rows: readonly Group[];
  readonly isCode?: boolean;
}

export function UsageTable({ title, head, rows, isCode = false }: UsageTableProps) {
  const id = useId();
  const { columns } = useTexts().usage;
  const { show } = useTexts();
  return (
    <div className="card">
      <h2 id={id}>{title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <section className="table-scroll" tabIndex={0} aria-labelledby={id}>
        <table className="table table-figures">
          <thead>
            <tr>
              <th scope="col">{head}</th>
              {countNames.map((name) => (
                <th key={name} scope="col">
                  {columns[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">{isCode ? <code>{row.name}</code> : row.name}</th>
                {countNames.map((name) => (
                  <td
                    key={name}
                    data-notable={((name === "refused" || name === "errors") && row[name] > 0) || undefined}
                  >
                    {show.number(row[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
