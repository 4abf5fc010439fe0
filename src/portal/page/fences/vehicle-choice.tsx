import { useId, useMemo, useState } from "react";
import type { DevicesById } from "../api/devices.ts";
import type { Device } from "../api/records.ts";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface VehicleChoiceProps {
  readonly devices: DevicesById | null;
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** Nobody reads more: the others are found by search. */
const maxListed = 100;

/** Which vehicles the fence is for: all, those with a tag, or one by one. */
export function VehicleChoice({ devices, chosen, onChange }: VehicleChoiceProps) {
  const { fences: words } = useAdministrationTexts();
  const show = useShow();
  const id = useId();
  const [search, setSearch] = useState("");
  const all = useMemo(
    () => [...(devices?.values() ?? [])].sort((one, other) => show.compare(one.name, other.name)),
    [devices, show],
  );
  const tags = useMemo(() => Map.groupBy(all.flatMap(tagged), ([tag]) => tag), [all]);
  const wanted = search.trim().toLowerCase();
  const found = all.filter(
    ({ name, plate }) => name.toLowerCase().includes(wanted) || (plate ?? "").toLowerCase().includes(wanted),
  );
  const put = (ids: readonly string[], isIn: boolean) => {
    const next = new Set(chosen);
    for (const one of ids) isIn ? next.add(one) : next.delete(one);
    onChange(next);
  };
  const known = all.filter(({ device_id }) => chosen.has(device_id)).length;
  return (
    <fieldset className="vehicle-choice">
      <legend>{words.forVehicles}</legend>
      <p className="hint" aria-live="polite">
        {words.chosen(show.number(known), show.number(all.length))}
      </p>
      <div className="button-row">
        <button
          type="button"
          className="button button-small"
          onClick={() =>
            put(
              all.map(({ device_id }) => device_id),
              true,
            )
          }
        >
          {words.all}
        </button>
        <button type="button" className="button button-small" onClick={() => onChange(new Set())}>
          {words.noneChosen}
        </button>
      </div>
      {tags.size > 0 && (
        <fieldset className="tag-choice">
          <legend className="visually-hidden">{words.byTag}</legend>
          {[...tags.keys()].sort(show.compare).map((tag) => {
            const ids = (tags.get(tag) ?? []).map(([, device]) => device);
            const isAll = ids.every((one) => chosen.has(one));
            return (
              <button key={tag} type="button" className="chip" aria-pressed={isAll} onClick={() => put(ids, !isAll)}>
                {tag}
                <span className="chip-count">{show.number(ids.length)}</span>
              </button>
            );
          })}
        </fieldset>
      )}
      {all.length > 8 && (
        <input
          type="search"
          aria-label={words.searchVehicles}
          placeholder={words.searchVehicles}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <ul className="vehicle-checks">
        {found.slice(0, maxListed).map(({ device_id, name, plate }) => (
          <li key={device_id}>
            <label className="check" htmlFor={`${id}-${device_id}`}>
              <input
                id={`${id}-${device_id}`}
                type="checkbox"
                checked={chosen.has(device_id)}
                onChange={({ target }) => put([device_id], target.checked)}
              />
              <span>{name}</span>
              <span className="quiet">{plate}</span>
            </label>
          </li>
        ))}
      </ul>
      {found.length > maxListed && <p className="hint">{words.onlySome(show.number(maxListed))}</p>}
      <p className="hint">{words.noneByItself}</p>
    </fieldset>
  );
}

function tagged({ device_id, tags }: Device): (readonly [tag: string, id: string])[] {
  return tags.map((tag) => [tag, device_id] as const);
}
