import { Field } from "./field.tsx";

interface NewPasswordProps {
  /** The name under which the form sends it. */
  readonly name: string;
  readonly words: {
    readonly password: string;
    readonly hint: string;
    readonly again: string;
    readonly notTheSame: string;
  };
  readonly problem: string | undefined;
  readonly isDifferent: boolean;
}

/** A password that somebody chooses, entered twice: the second is in the form as `repeated`. */
export function NewPasswordFields({ name, words, problem, isDifferent }: NewPasswordProps) {
  const common = { type: "password", autoComplete: "new-password", required: true } as const;
  return (
    <>
      <Field
        {...common}
        label={words.password}
        name={name}
        minLength={8}
        maxLength={200}
        hint={words.hint}
        problem={problem}
      />
      <Field {...common} label={words.again} name="repeated" problem={isDifferent ? words.notTheSame : undefined} />
    </>
  );
}
