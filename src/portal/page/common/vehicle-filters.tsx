import { useMemo } from "react";
import { useTexts } from "../texts/use-texts.ts";
import { useAddress } from "./address.ts";
import { Icon } from "./icon.tsx";
import { useDevices } from "./use-devices.ts";
import { useShow } from "./use-show.ts";

/** Vehicles with any of these tags. The choice is in the address. Shown only where vehicles have tags. */
export function TagFilter() {
  const { common } = useTexts();
  const devices = useDevices();
  const show = useShow();
  const tags = useMemo(
    () => [...new Set([...(devices?.values() ?? [])].flatMap((device) => device.tags))].sort(show.compare),
    [devices, show],
  );
  if (tags.length === 0) return null;
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
  const devices = useDevices();
  const show = useShow();
  const options = useMemo(
    () =>
      [...(devices?.values() ?? [])]
        .sort((one, other) => show.compare(one.name, other.name))
        .map(({ device_id, name }) => [device_id, name] as const),
    [devices, show],
  );
  return <Choices parameter="vehicle" label={common.vehicle} everything={common.allVehicles} options={options} />;
}

interface ChoicesProps {
  readonly parameter: string;
  readonly label: string;
  readonly everything: string;
  readonly options: readonly (readonly [value: string, text: string])[];
}

/** A list to add from, and what was added, each with a cross. */
function Choices({ parameter, label, everything, options }: ChoicesProps) {
  const { common } = useTexts();
  const { all, set } = useAddress();
  const chosen = all(parameter);
  const names = new Map(options);
  return (
    <div className="choices">
      <label>
        <span className="visually-hidden">{label}</span>
        <select
          value=""
          onChange={({ target }) => target.value !== "" && set({ [parameter]: [...chosen, target.value] })}
        >
          <option value="">{chosen.length === 0 ? everything : `+ ${label}`}</option>
          {options
            .filter(([value]) => !chosen.includes(value))
            .map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
        </select>
      </label>
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
