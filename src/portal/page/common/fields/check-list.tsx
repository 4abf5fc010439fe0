import { type ReactNode, useMemo, useState } from "react";
import { useAdministrationTexts } from "../../texts/use-administration-texts.ts";
import { LinkButton } from "../elements/button.tsx";
import { type CheckItem, foundItems } from "./check-items.ts";
import { SearchField } from "./search-field.tsx";

interface CheckListProps {
  readonly items: readonly CheckItem[];
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (ids: readonly string[], isWanted: boolean) => void;
  readonly searchLabel: string;
  readonly placeholder?: string;
  /** With fewer, a search is more trouble than looking. */
  readonly searchFrom?: number;
  readonly isFirst?: boolean;
  /** What stands above the boxes. */
  readonly status?: (found: readonly CheckItem[], isSearch: boolean) => ReactNode;
}

/** How many boxes are drawn at once. */
const rowsAtOnce = 200;

export function CheckList(props: CheckListProps) {
  const { items, chosen, onToggle, searchLabel, placeholder = searchLabel, searchFrom = 0, isFirst = false } = props;
  const { people: words, common, show } = useAdministrationTexts();
  const [search, setSearch] = useState("");
  const [rows, setRows] = useState(rowsAtOnce);
  // Those chosen at first: a row must not move when its box is ticked.
  const [first] = useState(chosen);
  const found = useMemo(() => foundItems(items, search, first, show.compare), [items, search, first, show]);
  return (
    <>
      {items.length >= searchFrom && (
        <SearchField
          label={searchLabel}
          placeholder={placeholder}
          isFirst={isFirst}
          value={search}
          onChange={setSearch}
        />
      )}
      {props.status?.(found, search.trim() !== "")}
      <ul className="assign-list">
        {found.slice(0, rows).map(({ id, name, detail }) => (
          <li key={id}>
            <label className="check">
              <input
                type="checkbox"
                checked={chosen.has(id)}
                onChange={({ target }) => onToggle([id], target.checked)}
              />
              <span className="assign-name break fit">{name}</span>
              <span className="quiet">{detail}</span>
            </label>
          </li>
        ))}
      </ul>
      {found.length > rows && (
        <p className="list-status hint">
          {words.andMore(show.number(found.length - rows))}
          <LinkButton onClick={() => setRows(rows + rowsAtOnce)} text={common.showMore} />
        </p>
      )}
    </>
  );
}

/** What is chosen then, for `onToggle`. */
export function toggled<Id extends string>(
  set: ReadonlySet<Id> | null,
  ids: readonly Id[],
  isWanted: boolean,
): Set<Id> {
  const next = new Set(set);
  for (const id of ids) isWanted ? next.add(id) : next.delete(id);
  return next;
}
