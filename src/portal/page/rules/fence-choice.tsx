import { useState } from "react";
import { useFences } from "../places/use-fences.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface FenceChoiceProps {
  /** Whether the rule says nothing without a fence. */
  readonly isRequired: boolean;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Fewer are seen at a glance. */
const fewFences = 8;
const maxShown = 100;

export function FenceChoice({ isRequired, chosen, onChange }: FenceChoiceProps) {
  const { rules: words, fences: fenceTexts, show } = useAdministrationTexts();
  const fences = useFences();
  const [search, setSearch] = useState("");
  const [isOpen, setOpen] = useState(isRequired || chosen.length > 0);
  if (fences === null) return null;
  const sorted = fences.rows.toSorted((one, other) => show.compare(one.name, other.name));
  const wanted = search.trim().toLowerCase();
  const shown = sorted.filter(
    ({ geofence_id, name }) => chosen.includes(geofence_id) || name.toLowerCase().includes(wanted),
  );
  const toggle = (id: string, isWanted: boolean) =>
    onChange(isWanted ? [...chosen, id] : chosen.filter((other) => other !== id));
  const count = chosen.length === 0 ? words.everywhere : words.fenceCount(chosen.length, show.number(chosen.length));
  const summary = isRequired ? fenceTexts.title : `${words.where}: ${count}`;
  return (
    <details className="rule-fences" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      <div className="rule-fence-list">
        {sorted.length === 0 && <p className="quiet">{words.noFences}</p>}
        {sorted.length > fewFences && (
          <input
            type="search"
            aria-label={fenceTexts.search}
            placeholder={fenceTexts.search}
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        )}
        <ul>
          {shown.slice(0, maxShown).map(({ geofence_id, name }) => (
            <li key={geofence_id}>
              <label>
                <input
                  type="checkbox"
                  checked={chosen.includes(geofence_id)}
                  onChange={({ target }) => toggle(geofence_id, target.checked)}
                />
                {name}
              </label>
            </li>
          ))}
        </ul>
        {isRequired && chosen.length === 0 && sorted.length > 0 && <p className="hint">{words.chooseFence}</p>}
      </div>
    </details>
  );
}
