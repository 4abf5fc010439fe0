import { useId } from "react";
import { useAddress } from "../common/navigation/address.ts";
import { useFences } from "../places/use-fences.ts";
import { useTexts } from "../texts/use-texts.ts";

/** One fence or all of them. The choice is in the address. */
export function FenceFilter() {
  const { reports: words, show } = useTexts();
  const { get, set } = useAddress();
  const id = useId();
  const fences = [...(useFences()?.rows ?? [])].sort((one, other) => show.compare(one.name, other.name));
  const chosen = get("fence") ?? "";
  return (
    <div className="choices flex align-end wrap gap-2">
      <div>
        <label className="filter-label block fine bold" htmlFor={id}>
          {words.fence}
        </label>
        <select id={id} value={chosen} onChange={({ target }) => set({ fence: target.value || null })}>
          <option value="">{words.allFences}</option>
          {fences.map(({ geofence_id, name }) => (
            <option key={geofence_id} value={geofence_id}>
              {name}
            </option>
          ))}
          {/* One that is gone still decides what is shown. */}
          {chosen !== "" && !fences.some(({ geofence_id }) => geofence_id === chosen) && (
            <option value={chosen}>{chosen}</option>
          )}
        </select>
      </div>
    </div>
  );
}
