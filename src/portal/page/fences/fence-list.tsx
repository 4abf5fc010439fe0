import { memo, useState } from "react";
import { to } from "../../both-sides/address.ts";
import type { ListedFence } from "../../both-sides/contract/fences.ts";
import { send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { SearchField } from "../common/fields/search-field.tsx";
import { EmptyState, ErrorNotice, LoadState } from "../common/loading/notice.tsx";
import { useAnswer } from "../common/loading/use-load.ts";
import { useFirstRows } from "../common/tables/use-rows.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
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
  const { rows, more } = useFirstRows(found, "button");
  if (fences.length === 0) {
    return (
      <EmptyState icon="target" title={words.none}>
        {words.noneText}
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
      <ul>
        {rows.map((fence) => (
          <li key={fence.geofence_id}>
            <button
              type="button"
              className="fence-row grid middle full plain"
              data-fence={fence.geofence_id}
              onClick={() => onOpen(fence.geofence_id)}
            >
              <span className="fence-dot round" style={{ background: fence.color ?? "var(--accent)" }} />
              <span className="break bold">{fence.name}</span>
              <span className="fence-row-facts hint">{sizeWords(fence, show, words)}</span>
              <span className="fence-row-facts hint">{vehicleCountWords(fence.device_count, show, words)}</span>
            </button>
          </li>
        ))}
      </ul>
      {more}
    </>
  );
});

/** What was removed, newest first, with the way back. Nothing at all where nothing was. */
export function RemovedFences({ onRestored }: { readonly onRestored: (id: string) => void }) {
  const { fences: words, vehicles, show } = useAdministrationTexts();
  const { loaded, reload } = useAnswer(to("GET /fleet/geofences", { removed: true }));
  const { submit, error } = useSubmit();
  const restore = async ({ geofence_id, revision, name }: ListedFence) => {
    await send(to("POST /fleet/geofences/{geofence_id}/restore", { geofence_id }), { revision }).catch((cause) => {
      reload();
      throw cause;
    });
    announce(vehicles.isBack(name));
    onRestored(geofence_id);
  };
  if (loaded.data === null) return <LoadState loaded={loaded} reload={reload} />;
  const fences = loaded.data.data.toSorted((one, other) =>
    (one.removed_at ?? "") < (other.removed_at ?? "") ? 1 : -1,
  );
  if (fences.length === 0) return null;
  return (
    <details className="removed-fences">
      <summary>
        {words.removedFences} ({show.number(fences.length)})
      </summary>
      <p className="hint">{words.putBackHint}</p>
      {error !== null && <ErrorNotice error={error} />}
      <ul className="removed-rows">
        {fences.map((fence) => (
          <li key={fence.geofence_id} className="row apart gap-3">
            <span>
              <span className="break bold">{fence.name}</span>
              <span className="hint block">
                {words.removedOn(show.time(Date.parse(fence.removed_at ?? ""), "minute"))}
              </span>
            </span>
            <Button look="small" text={vehicles.putBack} of={fence.name} onClick={() => submit(() => restore(fence))} />
          </li>
        ))}
      </ul>
    </details>
  );
}
