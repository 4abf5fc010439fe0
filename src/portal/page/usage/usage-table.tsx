import { useId } from "react";
import { formatNumber } from "../common/format.ts";
import type { Group } from "./tally.ts";

interface UsageTableProps {
  readonly title: string;
  readonly head: string;
  readonly rows: readonly Group[];
  readonly isCode?: boolean;
}

export function UsageTable({ title, head, rows, isCode = false }: UsageTableProps) {
  const id = useId();
  return (
    <div className="card">
      <h2 id={id}>{title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <section className="table-scroll" tabIndex={0} aria-labelledby={id}>
        <table className="table table-figures">
          <thead>
            <tr>
              <th scope="col">{head}</th>
              <th scope="col">Requests</th>
              <th scope="col">Unchanged</th>
              <th scope="col">Refused</th>
              <th scope="col">Errors</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, requests, not_modified, refused, errors }) => (
              <tr key={name}>
                <th scope="row">{isCode ? <code>{name}</code> : name}</th>
                <td>{formatNumber(requests)}</td>
                <td>{formatNumber(not_modified)}</td>
                <td data-notable={refused > 0 || undefined}>{formatNumber(refused)}</td>
                <td data-notable={errors > 0 || undefined}>{formatNumber(errors)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
