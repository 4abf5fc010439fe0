import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTexts } from "../../texts/use-texts.ts";
import { LinkButton } from "../elements/button.tsx";

export interface RowSelection {
  /** The ids of all rows that could be selected. */
  readonly shown: readonly string[];
  /** Those of them that are; nothing that is out of sight. */
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string, isRange?: boolean) => void;
  readonly choose: (ids: readonly string[]) => void;
}

/** Which of the shown rows are selected. With `isRange`, all between the last one and this one follow it. */
export function useSelection(shown: readonly string[]): RowSelection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const current = useRef(shown);
  current.current = shown;
  const toggle = useCallback((id: string, isRange = false) => {
    const ids = current.current;
    const [from, to] = [ids.indexOf(last.current ?? ""), ids.indexOf(id)];
    const range = new Set(isRange && from !== -1 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]);
    last.current = id;
    setChosen((before) => (before.has(id) ? before.difference(range) : before.union(range)));
  }, []);
  const choose = useCallback((ids: readonly string[]) => setChosen(new Set(ids)), []);
  const ids = useMemo(() => new Set(shown.filter((id) => chosen.has(id))), [shown, chosen]);
  return { shown, ids, toggle, choose };
}

interface SelectionBarProps {
  readonly selection: RowSelection;
  readonly words: {
    readonly selectAll: (shown: string) => string;
    readonly selected: (count: number, shown: string) => string;
  };
  /** What can be done to those that are selected. */
  readonly children: ReactNode;
}

/** One box for all rows: empty, ticked, or in between. Stays in sight while the list is scrolled. */
export function SelectionBar({ selection: { shown, ids, choose }, words, children }: SelectionBarProps) {
  const { common, show } = useTexts();
  const box = useRef<HTMLInputElement>(null);
  const isAll = ids.size === shown.length;
  const isSome = ids.size > 0;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome && !isAll;
  }, [isSome, isAll]);
  return (
    <div className="selection-bar row wrap gap-2-4 box" data-selected={isSome}>
      <label className="check">
        <input ref={box} type="checkbox" checked={isSome && isAll} onChange={() => choose(isAll ? [] : shown)} />
        {words.selectAll(show.number(shown.length))}
      </label>
      {isSome && (
        <>
          <span className="selection-count bold" aria-live="polite">
            {words.selected(ids.size, show.number(ids.size))}
          </span>
          <LinkButton onClick={() => choose([])} text={common.clearSelection} />
          {children}
        </>
      )}
    </div>
  );
}
