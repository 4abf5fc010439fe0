import { useMemo } from "react";
import { useTexts } from "../../texts/use-texts.ts";
import { Icon } from "../elements/icon.tsx";
import { FindOne, type FindOption, maxListed } from "../fields/find-one.tsx";
import { useAddress } from "../navigation/address.ts";
import { useDevices, useVehiclesByName } from "./use-devices.ts";

/** Vehicles with any of these tags. The choice is in the address. Shown only where vehicles have tags. */
export function TagFilter() {
  const { common, show } = useTexts();
  const devices = useDevices();
  const tags = useMemo(
    () => [...new Set([...(devices?.values() ?? [])].flatMap((device) => device.tags))].sort(show.compare),
    [devices, show],
  );
  // Until it is known, its room is held, so that nothing jumps.
  if (tags.length === 0 && devices !== null) return null;
  return (
    <Choices
      parameter="tag"
      label={common.tag}
      everything={common.allTags}
      options={tags.map((tag) => [tag, tag] as const)}
    />
  );
}

/** One or more vehicles. The choice is in the address. */
export function VehicleFilter() {
  const { common } = useTexts();
  const options = useVehiclesByName().map(({ device_id, name }) => [device_id, name] as const);
  return <Choices parameter="vehicle" label={common.vehicle} everything={common.allVehicles} options={options} />;
}

interface ChoicesProps {
  readonly parameter: string;
  readonly label: string;
  readonly everything: string;
  readonly options: readonly FindOption[];
}

/** A list to add from, and what was added, each with a cross. */
export function Choices({ parameter, label, everything, options }: ChoicesProps) {
  const { common } = useTexts();
  const { all, set } = useAddress();
  const chosen = all(parameter);
  const names = new Map(options.map(([value, text]) => [value, text]));
  const left = options.filter(([value]) => !chosen.includes(value));
  const hint = chosen.length === 0 ? everything : `+ ${label}`;
  const add = (value: string) => set({ [parameter]: [...chosen, value] });
  return (
    <div className="choices flex align-end wrap gap-2">
      <div>
        <span className="filter-label block fine bold" aria-hidden="true">
          {label}
        </span>
        {left.length > maxListed ? (
          <FindOne label={label} placeholder={hint} options={left} onFound={add} />
        ) : (
          <select aria-label={label} value="" onChange={({ target }) => target.value !== "" && add(target.value)}>
            <option value="">{hint}</option>
            {left.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        )}
      </div>
      {chosen.map((value) => (
        <button
          key={value}
          type="button"
          className="chip"
          aria-label={common.removeFilter(names.get(value) ?? value)}
          onClick={() => set({ [parameter]: chosen.filter((other) => other !== value) })}
        >
          {names.get(value) ?? value}
          <Icon name="close" />
        </button>
      ))}
    </div>
  );
}
