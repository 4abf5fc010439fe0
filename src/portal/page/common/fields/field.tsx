import { type InputHTMLAttributes, type ReactNode, useId } from "react";

interface FrameProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  readonly className?: string | undefined;
}

interface FieldProps extends FrameProps, Omit<InputHTMLAttributes<HTMLInputElement>, keyof FrameProps> {
  readonly "data-first-focus"?: boolean;
}

export function Field({ label, hint, problem, className, ...input }: FieldProps) {
  return (
    <FieldFrame {...{ label, hint, problem, className }}>
      {(attributes) => <input {...attributes} {...input} />}
    </FieldFrame>
  );
}

interface FieldFrameProps extends FrameProps {
  /** What a person fills in, with the attributes that tie it to the rest. */
  readonly children: (attributes: {
    readonly id: string;
    readonly "aria-invalid": true | undefined;
    readonly "aria-describedby": string | undefined;
  }) => ReactNode;
}

/** The name of a field, and what is to be said of it. */
export function FieldFrame({ label, hint, problem, className, children }: FieldFrameProps) {
  const id = useId();
  const described = [hint === undefined ? "" : `${id}-hint`, problem === undefined ? "" : `${id}-problem`];
  return (
    <div className={className === undefined ? "field" : `field ${className}`}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        "aria-invalid": problem === undefined ? undefined : true,
        "aria-describedby": described.join(" ").trim() || undefined,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="problem">
          {problem}
        </p>
      )}
    </div>
  );
}

interface SelectProps {
  readonly label: string;
  readonly name?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly problem?: string | undefined;
}

export function Select({ label, name, value, onChange, options, problem }: SelectProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
      {problem !== undefined && <p className="problem">{problem}</p>}
    </div>
  );
}
