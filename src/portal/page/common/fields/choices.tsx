import { type ReactNode, useId } from "react";

interface ChoiceListProps<Value extends string> {
  readonly legend?: string | undefined;
  readonly choices: readonly (readonly [value: Value, title: string, what: ReactNode])[];
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  readonly hint?: string;
}

export function ChoiceList<Value extends string>({ legend, choices, value, onChange, hint }: ChoiceListProps<Value>) {
  const name = useId();
  return (
    <fieldset className="form-part">
      {legend !== undefined && <legend>{legend}</legend>}
      <div className="grid gap-2">
        {choices.map(([choice, title, what]) => (
          <label key={choice} className="choice flex gap-3 box">
            <input type="radio" name={name} checked={value === choice} onChange={() => onChange(choice)} />
            <span>
              <strong>{title}</strong>
              <small className="quiet fine">{what}</small>
            </span>
          </label>
        ))}
      </div>
      {hint !== undefined && <p className="hint">{hint}</p>}
    </fieldset>
  );
}

interface SegmentedProps<Option extends string> {
  readonly name: string;
  readonly label: string;
  readonly options: readonly Option[];
  readonly words: Readonly<Record<Option, string>>;
  readonly value: string;
  readonly onChange: (option: Option) => void;
  readonly className?: string;
  readonly isLabelShown?: boolean;
}

export function Segmented<Option extends string>(props: SegmentedProps<Option>) {
  const { name, label, options, words, value, onChange, className = "segmented", isLabelShown = false } = props;
  return (
    <fieldset className={className}>
      <legend className={isLabelShown ? undefined : "visually-hidden"}>{label}</legend>
      {options.map((option) => (
        <label key={option}>
          <input type="radio" name={name} checked={value === option} onChange={() => onChange(option)} />
          <span>{words[option]}</span>
        </label>
      ))}
    </fieldset>
  );
}
