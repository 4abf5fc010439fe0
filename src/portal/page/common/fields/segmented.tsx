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
