import { Icon } from "../elements/icon.tsx";

interface SearchFieldProps {
  readonly label: string;
  /** What to type; the label unless given. */
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly isFirst?: boolean;
}

export function SearchField({ label, placeholder = label, value, onChange, isFirst = false }: SearchFieldProps) {
  return (
    <label className="search block anchor">
      <Icon name="search" />
      <span className="visually-hidden">{label}</span>
      <input
        type="search"
        data-first-focus={isFirst || undefined}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
