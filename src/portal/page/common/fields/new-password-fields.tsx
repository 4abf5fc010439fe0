import { type FormEvent, useState } from "react";
import { useTexts } from "../../texts/use-texts.ts";
import { useSubmit } from "../dialogs/form-dialog.tsx";
import { fieldProblems } from "../loading/error-words.ts";
import { Field } from "./field.tsx";

interface NewPasswordProps {
  readonly name: string;
  /** Of a person's first password. */
  readonly labels?: readonly [password: string, again: string];
  readonly problem: string | undefined;
  readonly isDifferent: boolean;
}

/** A password that a person chooses, entered twice: the second is in the form as `repeated`. */
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

/** What was typed, by the names of the fields. */
type Entered = Readonly<Record<string, string>>;

/** A form with `NewPasswordFields`: it sends only what was entered twice alike. `name` is the name of the password. */
export function useNewPassword(name: string, work: (entered: Entered, form: HTMLFormElement) => Promise<unknown>) {
  const texts = useTexts();
  const { submit, error, isBusy, forgetError } = useSubmit();
  const [isDifferent, setDifferent] = useState(false);
  const [isDone, setDone] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = [...new FormData(form)].map(([field, text]) => [field, String(text)]);
    const { repeated, ...entered }: Entered = Object.fromEntries(typed);
    setDone(false);
    setDifferent(entered[name] !== repeated);
    if (entered[name] !== repeated) return forgetError();
    void submit(async () => {
      await work(entered, form);
      setDone(true);
    });
  };
  const problems = fieldProblems(error, texts);
  const otherError = Object.keys(problems).length === 0 ? error : null;
  return { onSubmit, isBusy, isDone, isDifferent, problems, otherError };
}
