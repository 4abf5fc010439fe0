import { Icon } from "../common/icon.tsx";
import { SelectAll } from "../common/select-all.tsx";
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
  return (
    <div className="selection-bar" data-selected={selected > 0}>
      <SelectAll {...{ selectable, selected, onSelectAll, onSelectNone }}>
        {words.selectAll(show.number(selectable))}
      </SelectAll>
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
