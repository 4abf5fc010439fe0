import { useId, useMemo, useState } from "react";
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

type Option = readonly [value: string, text: string];

interface ChoicesProps {
  readonly parameter: string;
  readonly label: string;
  readonly everything: string;
  readonly options: readonly Option[];
}

/** Nobody finds a vehicle in a longer list; and it would slow down every page. */
const maxListed = 300;
const maxFound = 20;

/** A list to add from, and what was added, each with a cross. */
export function Choices({ parameter, label, everything, options }: ChoicesProps) {
  const { common } = useTexts();
  const { all, set } = useAddress();
  const chosen = all(parameter);
  const names = new Map(options);
  const left = options.filter(([value]) => !chosen.includes(value));
  const hint = chosen.length === 0 ? everything : `+ ${label}`;
  const add = (value: string) => set({ [parameter]: [...chosen, value] });
  return (
    <div className="choices">
      {left.length > maxListed ? (
        <FindOne label={label} hint={hint} options={left} onFound={add} />
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

interface FindOneProps {
  readonly label: string;
  readonly hint: string;
  readonly options: readonly Option[];
  readonly onFound: (value: string) => void;
}

/** Of thousands, the names that contain what is typed. A whole name is taken at once. */
function FindOne({ label, hint, options, onFound }: FindOneProps) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const wanted = typed.trim().toLowerCase();
  const found = wanted === "" ? [] : options.filter(([, text]) => text.toLowerCase().includes(wanted));
  const type = (text: string) => {
    const whole = options.find(([, name]) => name === text);
    if (whole) onFound(whole[0]);
    setTyped(whole ? "" : text);
  };
  return (
    <>
      <input
        type="search"
        aria-label={label}
        list={id}
        placeholder={hint}
        value={typed}
        onChange={({ target }) => type(target.value)}
      />
      <datalist id={id}>
        {found.slice(0, maxFound).map(([value, text]) => (
          <option key={value} value={text} />
        ))}
      </datalist>
    </>
  );
}
