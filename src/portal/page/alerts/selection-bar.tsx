import { useEffect, useRef } from "react";
import { Icon } from "../common/icon.tsx";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";

interface SelectionBarProps {
  /** How many could be selected. */
  readonly selectable: number;
  readonly selected: number;
  readonly isBusy: boolean;
  readonly onSelectAll: () => void;
  readonly onSelectNone: () => void;
  readonly onAcknowledge: () => void;
}

/** Stays in sight while the list is scrolled. */
export function SelectionBar(props: SelectionBarProps) {
  const { selectable, selected, isBusy, onSelectAll, onSelectNone, onAcknowledge } = props;
  const { alerts: words } = useTexts();
  const show = useShow();
  const box = useRef<HTMLInputElement>(null);
  const isSome = selected > 0 && selected < selectable;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <div className="selection-bar" data-selected={selected > 0}>
      <label className="check">
        <input
          ref={box}
          type="checkbox"
          checked={selected > 0 && selected === selectable}
          onChange={selected === selectable ? onSelectNone : onSelectAll}
        />
        {words.selectAll(show.number(selectable))}
      </label>
      {selected > 0 && (
        <>
          <span className="selection-count">{words.selected(selected, show.number(selected))}</span>
          <button type="button" className="link-button" onClick={onSelectNone}>
            {words.clearSelection}
          </button>
          <button
            type="button"
            className="button button-primary button-small"
            aria-disabled={isBusy}
            onClick={() => !isBusy && onAcknowledge()}
          >
            <Icon name="check" />
            {isBusy ? words.acknowledging : words.acknowledgeCount(show.number(selected))}
          </button>
        </>
      )}
    </div>
  );
}
