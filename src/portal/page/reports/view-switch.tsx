import { useAddress } from "../common/address.ts";

interface ViewSwitchProps<View extends string> {
  /** Of the group of buttons. */
  readonly name: string;
  readonly label: string;
  readonly options: readonly View[];
  readonly words: Readonly<Record<View, string>>;
  readonly value: View;
  readonly onChange: (view: View) => void;
}

/** The parts of a report, one of which is shown. */
export function ViewSwitch<View extends string>(props: ViewSwitchProps<View>) {
  const { name, label, options, words, value, onChange } = props;
  return (
    <fieldset className="segmented report-switch">
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option}>
          <input type="radio" name={name} checked={value === option} onChange={() => onChange(option)} />
          <span>{words[option]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Which part the address names, the first if none; another part has another order. */
export function useSwitch<View extends string>(
  views: readonly [View, ...View[]],
): readonly [View, (view: View) => void] {
  const { get, set } = useAddress();
  const view = views.find((name) => name === get("view")) ?? views[0];
  return [view, (chosen) => set({ view: chosen === views[0] ? null : chosen, sort: null })];
}
