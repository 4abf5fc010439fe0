import type { ReactNode } from "react";

interface CheckProps {
  readonly text: ReactNode;
  readonly checked: boolean;
  readonly onChange: (isWanted: boolean) => void;
  readonly disabled?: boolean;
}

export function Check({ text, checked, onChange, disabled = false }: CheckProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{text}</span>
    </label>
  );
}
