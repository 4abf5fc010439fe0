import { useState } from "react";
import { Field } from "../common/field.tsx";

interface NumberFieldProps {
  readonly label: string;
  readonly value: number | null;
  readonly decimals: number;
  /** While somebody types; null: it is no number. */
  readonly onType: (value: number | null) => void;
  /** At the end of typing: with Enter, or when the focus leaves. Null: it was no number, so all stays as it was. */
  readonly onCommit: (value: number | null) => void;
  readonly problem?: string | undefined;
  readonly disabled?: boolean;
}

/** A number that counts while it is typed, and is one step that can be undone when it is complete. */
export function NumberField(props: NumberFieldProps) {
  const { label, value, decimals, onType, onCommit, problem, disabled = false } = props;
  const shown = value === null ? "" : String(Number(value.toFixed(decimals)));
  const [text, setText] = useState<string | null>(null);
  const commit = () => {
    if (text === null) return;
    setText(null);
    onCommit(numberIn(text));
  };
  return (
    <Field
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={text ?? shown}
      disabled={disabled}
      problem={problem}
      onChange={({ target }) => {
        setText(target.value);
        onType(numberIn(target.value));
      }}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        commit();
      }}
    />
  );
}

/** Null: it is none. */
function numberIn(text: string): number | null {
  const typed = Number(text.trim().replace(",", "."));
  return text.trim() === "" || !Number.isFinite(typed) ? null : typed;
}
