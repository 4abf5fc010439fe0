import { SelectAll } from "../common/select-all.tsx";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { SeveralKind } from "./several-dialog.tsx";
import { maxAtOnce } from "./use-several.ts";

interface SelectionBarProps {
  /** How many could be selected. */
  readonly selectable: number;
  readonly selected: number;
  readonly onSelectAll: () => void;
  readonly onSelectNone: () => void;
  readonly onChange: (kind: SeveralKind) => void;
}

/** What can be done to the selected vehicles. Stays in sight while the list is scrolled. */
export function SelectionBar({ selectable, selected, onSelectAll, onSelectNone, onChange }: SelectionBarProps) {
  const { vehicles: words } = useAdministrationTexts();
  const show = useShow();
  const actions: readonly (readonly [SeveralKind, string])[] = [
    ["tags", words.tagSome],
    ["status", words.statusSome],
    ["people", words.assignSome],
  ];
  return (
    <div className="selection-bar" data-selected={selected > 0}>
      <SelectAll {...{ selectable, selected, onSelectAll, onSelectNone }}>
        {words.selectAll(show.number(selectable))}
      </SelectAll>
      {selected > 0 && (
        <>
          <span className="selection-count" aria-live="polite">
            {words.selected(selected, show.number(selected))}
          </span>
          <button type="button" className="link-button" onClick={onSelectNone}>
            {words.clearSelection}
          </button>
          {selected > maxAtOnce ? (
            <span className="quiet">{words.atMost(show.number(maxAtOnce))}</span>
          ) : (
            actions.map(([kind, text]) => (
              <button key={kind} type="button" className="button button-small" onClick={() => onChange(kind)}>
                {text}…
              </button>
            ))
          )}
        </>
      )}
    </div>
  );
}
