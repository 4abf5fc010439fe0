import { memo, useState } from "react";
import { SearchField } from "../common/fields/search-field.tsx";
import { EmptyState } from "../common/loading/notice.tsx";
import { useRows } from "../common/tables/use-rows.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { ListedFence } from "./fence-records.ts";
import { sizeWords, vehicleCountWords } from "./fence-words.ts";

interface FenceListProps {
  /** In the order of their names. */
  readonly fences: readonly ListedFence[];
  readonly onOpen: (id: string) => void;
}

export const FenceList = memo(function FenceList({ fences, onOpen }: FenceListProps) {
  const { fences: words, show } = useAdministrationTexts();
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = fences.filter(({ name, description }) =>
    `${name}\n${description ?? ""}`.toLowerCase().includes(wanted),
  );
  const { rows, more } = useRows(found, "button");
  if (fences.length === 0) {
    return (
      <EmptyState icon="target" title={words.none}>
        <p>{words.noneText}</p>
      </EmptyState>
    );
  }
  return (
    <>
      <SearchField label={words.search} value={search} onChange={setSearch} />
      <p className="list-status" aria-live="polite">
        {found.length === fences.length
          ? words.count(fences.length, show.number(fences.length))
          : words.some(show.number(found.length), show.number(fences.length))}
      </p>
      {found.length === 0 && <p className="quiet">{words.noneFits}</p>}
      <ul className="fence-rows">
        {rows.map((fence) => (
          <li key={fence.geofence_id}>
            <button
              type="button"
              className="fence-row"
              data-fence={fence.geofence_id}
              onClick={() => onOpen(fence.geofence_id)}
            >
              <span className="fence-dot" style={{ background: fence.color ?? "var(--accent)" }} />
              <span className="fence-row-name">{fence.name}</span>
              <span className="fence-row-facts">{sizeWords(fence, show, words)}</span>
              <span className="fence-row-facts">{vehicleCountWords(fence.device_count, show, words)}</span>
            </button>
          </li>
        ))}
      </ul>
      {more}
    </>
  );
});
