import { type ReactNode, useEffect, useRef } from "react";

interface SelectAllProps {
  readonly selectable: number;
  readonly selected: number;
  readonly onSelectAll: () => void;
  readonly onSelectNone: () => void;
  readonly children: ReactNode;
}

/** One box for all rows: empty, ticked, or in between. */
export function SelectAll({ selectable, selected, onSelectAll, onSelectNone, children }: SelectAllProps) {
  const box = useRef<HTMLInputElement>(null);
  const isSome = selected > 0 && selected < selectable;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <label className="check">
      <input
        ref={box}
        type="checkbox"
        checked={selected > 0 && selected === selectable}
        onChange={selected === selectable ? onSelectNone : onSelectAll}
      />
      {children}
    </label>
  );
}
