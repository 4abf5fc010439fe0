import { useEffect, useRef, useState } from "react";
import { Field } from "../common/field.tsx";

interface NumberFieldProps {
  readonly label: string;
  readonly value: number | null;
  readonly decimals: number;
  /** At the end of typing: with Enter, or when the focus leaves. */
  readonly onCommit: (value: number) => void;
  readonly problem?: string | undefined;
  readonly disabled?: boolean;
}

/** A number that is taken over when it is complete, so that each is one step that can be undone. */
export function NumberField({ label, value, decimals, onCommit, problem, disabled = false }: NumberFieldProps) {
  const shown = value === null ? "" : String(Number(value.toFixed(decimals)));
  const [text, setText] = useState(shown);
  const isTyping = useRef(false);
  useEffect(() => {
    if (!isTyping.current) setText(shown);
  }, [shown]);
  const commit = () => {
    isTyping.current = false;
    const typed = Number(text.trim().replace(",", "."));
    if (text.trim() === "" || !Number.isFinite(typed)) setText(shown);
    else if (text !== shown) onCommit(typed);
  };
  return (
    <Field
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      disabled={disabled}
      problem={problem}
      onChange={({ target }) => {
        isTyping.current = true;
        setText(target.value);
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
