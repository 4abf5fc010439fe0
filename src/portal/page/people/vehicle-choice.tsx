import { useMemo, useState } from "react";
import type { Device } from "../api/records.ts";
import { Icon } from "../common/icon.tsx";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import { assignable } from "./assignable.ts";

interface VehicleChoiceProps {
  readonly devices: readonly Device[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
  /** Whether a dialog gives the search the focus first. */
  readonly isFirst?: boolean;
}

/** How many boxes are drawn at once. */
const rowsAtOnce = 200;

/** A box for each vehicle, with a search. */
export function VehicleChoice({ devices, chosen, onChoose, isFirst = false }: VehicleChoiceProps) {
  const { common } = useTexts();
  const { people: words } = useAdministrationTexts();
  const show = useShow();
  const vehicles = (count: number) => common.vehicles(count, show.number(count));
  const [search, setSearch] = useState("");
  const [rows, setRows] = useState(rowsAtOnce);
  // Those chosen at first: a row must not move when its box is ticked.
  const [first] = useState(chosen);
  const found = useMemo(() => assignable(devices, search, first, show.compare), [devices, search, first, show]);
  const toggle = (ids: readonly string[], isWanted: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) {
      if (isWanted) next.add(id);
      else next.delete(id);
    }
    onChoose(next);
  };
  const foundIds = found.map(({ device_id }) => device_id);
  const isAllFound = foundIds.every((id) => chosen.has(id));
  return (
    <>
      <label className="search">
        <Icon name="search" />
        <span className="visually-hidden">{common.searchVehicle}</span>
        <input
          type="search"
          data-first-focus={isFirst || undefined}
          placeholder={common.nameOrPlate}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </label>
      <p className="list-status">
        <span aria-live="polite">{words.chosen(vehicles(chosen.size))}</span>
        <button type="button" className="link-button" onClick={() => toggle(foundIds, !isAllFound)}>
          {search.trim() === ""
            ? isAllFound
              ? words.clearAll
              : words.chooseAll
            : (isAllFound ? words.clearThese : words.chooseThese)(show.number(found.length))}
        </button>
      </p>
      <ul className="assign-list">
        {found.slice(0, rows).map(({ device_id, name, plate, imei }) => (
          <li key={device_id}>
            <label className="check">
              <input
                type="checkbox"
                checked={chosen.has(device_id)}
                onChange={(event) => toggle([device_id], event.target.checked)}
              />
              <span className="assign-name">{name}</span>
              <span className="quiet">{plate ?? imei}</span>
            </label>
          </li>
        ))}
      </ul>
      {found.length > rows && (
        <p className="list-status hint">
          {words.andMore(show.number(found.length - rows))}
          <button type="button" className="link-button" onClick={() => setRows(rows + rowsAtOnce)}>
            {common.showMore}
          </button>
        </p>
      )}
    </>
  );
}
