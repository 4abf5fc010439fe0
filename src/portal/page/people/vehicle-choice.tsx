import { useMemo } from "react";
import type { Device } from "../api/records.ts";
import { CheckList } from "../common/check-list.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface VehicleChoiceProps {
  readonly devices: readonly Device[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
  /** Whether a dialog gives the search the focus first. */
  readonly isFirst?: boolean;
}

/** A box for each vehicle, and a button for all that are found. */
export function VehicleChoice({ devices, chosen, onChoose, isFirst = false }: VehicleChoiceProps) {
  const { people: words, common, show } = useAdministrationTexts();
  const items = useMemo(
    () =>
      devices.map(({ device_id, name, plate, imei }) => ({ id: device_id, name, detail: plate ?? imei, also: imei })),
    [devices],
  );
  const toggle = (ids: readonly string[], isWanted: boolean) =>
    onChoose(isWanted ? chosen.union(new Set(ids)) : chosen.difference(new Set(ids)));
  return (
    <CheckList
      items={items}
      chosen={chosen}
      onToggle={toggle}
      searchLabel={common.searchVehicle}
      placeholder={common.nameOrPlate}
      isFirst={isFirst}
      status={(found, isSearch) => {
        const isAll = found.every(({ id }) => chosen.has(id));
        const count = show.number(found.length);
        const text = isSearch
          ? (isAll ? words.clearThese : words.chooseThese)(count)
          : isAll
            ? words.clearAll
            : words.chooseAll;
        return (
          <p className="list-status">
            <span aria-live="polite">{words.chosen(common.vehicles(chosen.size, show.number(chosen.size)))}</span>
            <button
              type="button"
              className="link-button"
              onClick={() =>
                toggle(
                  found.map(({ id }) => id),
                  !isAll,
                )
              }
            >
              {text}
            </button>
          </p>
        );
      }}
    />
  );
}
