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
      <div className="choice-list">
        {choices.map(([choice, title, what]) => (
          <label key={choice} className="choice">
            <input type="radio" name={name} checked={value === choice} onChange={() => onChange(choice)} />
            <span>
              <strong>{title}</strong>
              <small>{what}</small>
            </span>
          </label>
        ))}
      </div>
      {hint !== undefined && <p className="hint">{hint}</p>}
    </fieldset>
  );
}
