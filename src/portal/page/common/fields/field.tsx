import { type InputHTMLAttributes, type ReactNode, useId, useState } from "react";
import { useTexts } from "../../texts/use-texts.ts";
import { afterClick } from "./after-click.ts";
import { type Doubt, doubtOf, entryProblem } from "./entry.ts";

interface FrameProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  readonly className?: string | undefined;
}

interface FieldProps extends FrameProps, Omit<InputHTMLAttributes<HTMLInputElement>, keyof FrameProps> {
  readonly "data-first-focus"?: boolean;
  /** What is asked about once the person has left the field. E-mails are asked about anyway, unless they sign somebody in. */
  readonly doubt?: Doubt;
}

/** What the browser finds wrong is said beside the field, like all else. */
export function Field({ label, hint, problem, className, doubt, ...input }: FieldProps) {
  const words = useTexts().errors.entry;
  const [wrong, setWrong] = useState<string | undefined>();
  const [question, setQuestion] = useState<string | null>(null);
  const asked = doubt ?? (input.type === "email" && input.autoComplete !== "username" ? "email" : null);
  const ask = (typed: string) => setQuestion(asked === null ? null : doubtOf(asked, typed, words));
  return (
    <FieldFrame {...{ label, hint, problem: problem ?? wrong, question, className }}>
      {(attributes) => (
        <input
          {...attributes}
          {...input}
          onInvalid={(event) => {
            event.preventDefault();
            setWrong(entryProblem(event.currentTarget, words));
            showFirst(event.currentTarget);
          }}
          onInput={({ currentTarget }) => {
            if (wrong !== undefined)
              setWrong(currentTarget.validity.valid ? undefined : entryProblem(currentTarget, words));
            if (question !== null) ask(currentTarget.value);
          }}
          onBlur={(event) => {
            const { value } = event.currentTarget;
            afterClick(() => ask(value));
            input.onBlur?.(event);
          }}
        />
      )}
    </FieldFrame>
  );
}

/** The first of the form's fields that is wrong gets the focus, wherever it is folded away. */
function showFirst(input: HTMLInputElement): void {
  const fields = [...(input.form?.elements ?? [])];
  if (fields.find((field) => field.matches("input:invalid, select:invalid, textarea:invalid")) !== input) return;
  const folded = input.closest("details");
  if (folded !== null) folded.open = true;
  input.focus();
}

interface FieldFrameProps extends FrameProps {
  /** What is asked of what was entered; nothing is refused. */
  readonly question?: string | null;
  /** What a person fills in, with the attributes that tie it to the rest. */
  readonly children: (attributes: {
    readonly id: string;
    readonly "aria-invalid": true | undefined;
    readonly "aria-describedby": string | undefined;
  }) => ReactNode;
}

/** The name of a field, and what is to be said of it. */
export function FieldFrame({ label, hint, problem, question = null, className, children }: FieldFrameProps) {
  const id = useId();
  const described = [
    hint === undefined ? "" : `${id}-hint`,
    problem === undefined ? "" : `${id}-problem`,
    question === null ? "" : `${id}-question`,
  ].filter((part) => part !== "");
  return (
    <div className={className === undefined ? "field" : `field ${className}`}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        "aria-invalid": problem === undefined ? undefined : true,
        "aria-describedby": described.join(" ") || undefined,
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
      {question !== null && (
        <p id={`${id}-question`} className="question" role="status">
          {question}
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
  /** Whether a dialog begins here. */
  readonly isFirst?: boolean;
}

export function Select({ label, name, value, onChange, options, problem, isFirst = false }: SelectProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        value={value}
        data-first-focus={isFirst || undefined}
        onChange={(event) => onChange(event.target.value)}
      >
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
