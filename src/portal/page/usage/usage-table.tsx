import { useId } from "react";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Group } from "./tally.ts";

interface UsageTableProps {
  readonly title: string;
  readonly head: string;
  readonly rows: readonly Group[];
  readonly isCode?: boolean;
}

export function UsageTable({ title, head, rows, isCode = false }: UsageTableProps) {
  const id = useId();
  const { columns } = useTexts().usage;
  const show = useShow();
  return (
    <div className="card">
      <h2 id={id}>{title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <section className="table-scroll" tabIndex={0} aria-labelledby={id}>
        <table className="table table-figures">
          <thead>
            <tr>
              <th scope="col">{head}</th>
              <th scope="col">{columns.requests}</th>
              <th scope="col">{columns.not_modified}</th>
              <th scope="col">{columns.refused}</th>
              <th scope="col">{columns.errors}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, requests, not_modified, refused, errors }) => (
              <tr key={name}>
                <th scope="row">{isCode ? <code>{name}</code> : name}</th>
                <td>{show.number(requests)}</td>
                <td>{show.number(not_modified)}</td>
                <td data-notable={refused > 0 || undefined}>{show.number(refused)}</td>
                <td data-notable={errors > 0 || undefined}>{show.number(errors)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
