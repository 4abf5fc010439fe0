import { useTexts } from "../texts/use-texts.ts";
import { Field } from "./field.tsx";

interface NewPasswordProps {
  /** The name under which the form sends it. */
  readonly name: string;
  /** Of somebody's first password. */
  readonly labels?: readonly [password: string, again: string];
  readonly problem: string | undefined;
  readonly isDifferent: boolean;
}

/** A password that somebody chooses, entered twice: the second is in the form as `repeated`. */
export function NewPasswordFields({ name, labels, problem, isDifferent }: NewPasswordProps) {
  const { account: words } = useTexts();
  const [label, again] = labels ?? [words.newPassword, words.newPasswordAgain];
  const common = { type: "password", autoComplete: "new-password", required: true } as const;
  return (
    <>
      <Field
        {...common}
        label={label}
        name={name}
        minLength={8}
        maxLength={200}
        hint={words.passwordLength}
        problem={problem}
      />
      <Field {...common} label={again} name="repeated" problem={isDifferent ? words.notTheSame : undefined} />
    </>
  );
}
